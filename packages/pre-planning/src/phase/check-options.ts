import type { Logger } from '@agent/text';

/** Puts the default in the place of an option that is of no use, and says so in a warning (decision X1). */
export interface OptionCheck {
  /** A number from `least` to `most`; `usual` also where it is left out. */
  readonly number: (name: string, value: number | undefined, bounds: NumberBounds) => number;
  /** The IANA name of a time zone that this system knows; `UTC` also where it is left out. */
  readonly timeZone: (value: string | undefined) => string;
  /** Anything else that a rule can tell; `usual` also where it is left out. */
  readonly value: <Value>(name: string, value: Value | undefined, rule: ValueRule<Value>) => Value;
  /** Each of these flags under its name within `name`; what `usual` does not name is of no use. */
  readonly flags: <Flags extends object>(
    name: string,
    values: Partial<Flags> | undefined,
    usual: Flags,
  ) => Flags;
}

export interface ValueRule<Value> {
  readonly is: (value: unknown) => boolean;
  readonly usual: Value;
}

export const isFlag = (value: unknown): boolean => typeof value === 'boolean';
export const isFunction = (value: unknown): boolean => typeof value === 'function';
export const isLocale = (value: unknown): boolean => value === 'ja' || value === 'en';

export interface NumberBounds {
  readonly least: number;
  readonly most: number;
  readonly usual: number;
}

export function createOptionCheck(logger: Logger | null): OptionCheck {
  const warn = (option: string) => logger?.warn({ option }, 'an option is of no use; its default is taken');
  const check = <Value>(name: string, value: Value | undefined, { is, usual }: ValueRule<Value>): Value => {
    if (value === undefined || is(value)) return value ?? usual;
    warn(name);
    return usual;
  };
  return {
    value: check,
    flags: (name, values, usual) => {
      const given = typeof values === 'object' && values !== null ? Object.entries(values) : [];
      if (values !== undefined && values !== Object(values)) warn(name);
      const useful = given.filter(([key, value]) => {
        const isUseful = Object.hasOwn(usual, key) && (value === undefined || isFlag(value));
        if (!isUseful) warn(`${name}.${key}`);
        return isUseful && value !== undefined;
      });
      return { ...usual, ...Object.fromEntries(useful) };
    },
    number: (name, value, { least, most, usual }) =>
      check(name, value, {
        is: (given) => typeof given === 'number' && given >= least && given <= most,
        usual,
      }),
    timeZone: (value) => check('timeZone', value, { is: isTimeZone, usual: 'UTC' }),
  };
}

function isTimeZone(name: unknown): boolean {
  try {
    new Intl.DateTimeFormat('sv-SE', { timeZone: String(name) });
    return true;
  } catch {
    return false;
  }
}
