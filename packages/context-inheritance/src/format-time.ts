/** Making a formatter costs a hundred times what using one does. */
const formatters = new Map<string, Intl.DateTimeFormat>();

/**
 * Writes an ISO 8601 time as `YYYY-MM-DD HH:mm:ss` and the name of its zone, UTC unless told otherwise; what is no time
 * stays as it is. @see decision C13
 */
export function formatTime(iso: string, timeZone = 'UTC'): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return iso;
  const zone = toZoneNames(timeZone)
    .formatToParts(time)
    .find(({ type }) => type === 'timeZoneName');
  return `${toFormatter(timeZone).format(time)} ${zone?.value ?? timeZone}`;
}

/** The first eight characters of a run's name, as people see it. */
export function shortenUuid(uuid: string): string {
  return uuid.slice(0, 8);
}

function toFormatter(timeZone: string): Intl.DateTimeFormat {
  return remembered(timeZone, () => {
    return new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone });
  });
}

/** `UTC`, `GMT+9`, `PST`. */
function toZoneNames(timeZone: string): Intl.DateTimeFormat {
  return remembered(`name of ${timeZone}`, () => {
    return new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'short' });
  });
}

function remembered(key: string, make: () => Intl.DateTimeFormat): Intl.DateTimeFormat {
  const made = formatters.get(key) ?? make();
  formatters.set(key, made);
  return made;
}
