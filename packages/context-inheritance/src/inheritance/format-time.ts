/**
 * Writes an ISO 8601 time as `YYYY-MM-DD HH:mm:ss`, in UTC unless told otherwise; what is no time stays as it is.
 * @see decision C13
 */
export function formatTime(iso: string, timeZone = 'UTC'): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return iso;
  return new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone }).format(time);
}

/** The first eight characters of a run's name, as people see it. */
export function shortenUuid(uuid: string): string {
  return uuid.slice(0, 8);
}
