/** Making a formatter costs a hundred times what using one does. */
const formatters = new Map<string, Intl.DateTimeFormat>();

/** Options of `formatTime`. */
export interface FormatTimeOptions {
  /** False drops the seconds. Default true. */
  readonly seconds?: boolean | undefined;
}

/**
 * Formats a time as `YYYY-MM-DD HH:mm:ss` and the short name of its zone, UTC by default. Returns a text that is not a time
 * unchanged.
 *
 * @example
 * formatTime('2026-05-01T03:00:00.000Z', 'Asia/Tokyo'); // '2026-05-01 12:00:00 GMT+9'
 * formatTime('2026-05-01T03:00:00.000Z', 'UTC', { seconds: false }); // '2026-05-01 03:00 UTC'
 */
export function formatTime(
  time: Date | string,
  timeZone = 'UTC',
  { seconds = true }: FormatTimeOptions = {},
): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return String(time);
  const zone = toZoneNames(timeZone)
    .formatToParts(date)
    .find(({ type }) => type === 'timeZoneName');
  return `${toClock(timeZone, seconds ? 'medium' : 'short').format(date)} ${zone?.value ?? timeZone}`;
}

/**
 * Tells whether this system knows a time zone by that name, as IANA gives them.
 *
 * @example
 * isTimeZone('Mars/Olympus_Mons'); // false
 */
export function isTimeZone(name: string): boolean {
  try {
    toClock(name, 'medium');
    return true;
  } catch {
    return false;
  }
}

function toClock(timeZone: string, timeStyle: 'medium' | 'short'): Intl.DateTimeFormat {
  return remembered(`${timeStyle} ${timeZone}`, () => {
    return new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle, timeZone });
  });
}

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
