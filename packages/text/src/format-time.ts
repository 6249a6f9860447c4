/** Making a formatter costs a hundred times what using one does. */
const formatters = new Map<string, Intl.DateTimeFormat>();

/**
 * Writes a time as `YYYY-MM-DD HH:mm:ss` and the short name of its zone, which is UTC by default. A text that is no time stays
 * as it is.
 *
 * @example
 * formatTime('2026-05-01T03:00:00.000Z', 'Asia/Tokyo'); // '2026-05-01 12:00:00 GMT+9'
 */
export function formatTime(time: Date | string, timeZone = 'UTC'): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return String(time);
  const zone = toZoneNames(timeZone)
    .formatToParts(date)
    .find(({ type }) => type === 'timeZoneName');
  return `${toClock(timeZone).format(date)} ${zone?.value ?? timeZone}`;
}

/**
 * Tells whether this system knows a time zone by that name, as IANA gives them.
 *
 * @example
 * isTimeZone('Mars/Olympus_Mons'); // false
 */
export function isTimeZone(name: string): boolean {
  try {
    toClock(name);
    return true;
  } catch {
    return false;
  }
}

function toClock(timeZone: string): Intl.DateTimeFormat {
  return remembered(timeZone, () => {
    return new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone });
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
