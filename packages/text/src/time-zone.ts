/** Making a formatter costs a hundred times what using one does. */
const formatters = new Map<string, Intl.DateTimeFormat>();

/** The formatter with this key, made at its first use. */
export function rememberFormatter(key: string, make: () => Intl.DateTimeFormat): Intl.DateTimeFormat {
  const made = formatters.get(key) ?? make();
  formatters.set(key, made);
  return made;
}

/** A clock of a time zone, with or without seconds. @throws RangeError for a time zone that this system does not know */
export function toClock(timeZone: string, timeStyle: 'medium' | 'short'): Intl.DateTimeFormat {
  return rememberFormatter(`${timeStyle} ${timeZone}`, () => {
    return new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle, timeZone });
  });
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
