import type { Logger } from '@agent/text';

/** Puts the default in the place of a value that is of no use, and says so in a warning (decision X1). */
export interface OptionCheck {
  /** A number not below `least`. */
  readonly number: (
    name: string,
    value: number,
    bounds: { readonly least: number; readonly usual: number },
  ) => number;
  /** The IANA name of a time zone that this system knows. */
  readonly timeZone: (value: string) => string;
}

export function createOptionCheck(logger: Logger | null): OptionCheck {
  const warn = (option: string) => logger?.warn({ option }, 'an option is of no use; its default is taken');
  return {
    number: (name, value, { least, usual }) => {
      if (value >= least) return value;
      warn(name);
      return usual;
    },
    timeZone: (value) => {
      if (isTimeZone(value)) return value;
      warn('timeZone');
      return 'UTC';
    },
  };
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('sv-SE', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
