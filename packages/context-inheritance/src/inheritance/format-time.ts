/** Making a formatter costs a hundred times what using one does. */
const formatters = new Map<string, Intl.DateTimeFormat>();

/**
 * Writes an ISO 8601 time as `YYYY-MM-DD HH:mm:ss`, in UTC unless told otherwise; what is no time stays as it is.
 * @see decision C13
 */
export function formatTime(iso: string, timeZone = 'UTC'): string {
  const time = new Date(iso);
  return Number.isNaN(time.getTime()) ? iso : toFormatter(timeZone).format(time);
}

/** The first eight characters of a run's name, as people see it. */
export function shortenUuid(uuid: string): string {
  return uuid.slice(0, 8);
}

function toFormatter(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone });
  formatters.set(timeZone, made);
  return made;
}
