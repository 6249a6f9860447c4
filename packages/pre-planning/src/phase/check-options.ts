import type { Logger } from '../ports.ts';

/** Puts the default in the place of an option that is of no use, and says so in a warning (decision X1). */
export interface OptionCheck {
  /** A number from `least` to `most`; `usual` also where it is left out. */
  readonly number: (name: string, value: number | undefined, bounds: NumberBounds) => number;
  /** The IANA name of a time zone that this system knows; `UTC` also where it is left out. */
  readonly timeZone: (value: string | undefined) => string;
}

export interface NumberBounds {
  readonly least: number;
  readonly most: number;
  readonly usual: number;
}

export function createOptionCheck(logger: Logger | null): OptionCheck {
  const warn = (option: string) => logger?.warn({ option }, 'an option is of no use; its default is taken');
  return {
    number: (name, value, { least, most, usual }) => {
      if (value === undefined || (value >= least && value <= most)) return value ?? usual;
      warn(name);
      return usual;
    },
    timeZone: (value) => {
      if (value === undefined || isTimeZone(value)) return value ?? 'UTC';
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
