import { isTimeZone } from '@agent/text';

/** Condition that the value of an option has to meet. */
export interface Expectation {
  readonly isMet: (value: unknown) => boolean;
  /** Completes the sentence "The option must be …". */
  readonly text: string;
}

const isFunction = (value: unknown) => typeof value === 'function';

/** True for an object that is no array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Conditions that several options have. */
export const expected = {
  flag: { isMet: (value) => typeof value === 'boolean', text: 'true or false' },
  text: {
    isMet: (value) => typeof value === 'string' && value.trim() !== '',
    text: 'a text that is not empty',
  },
  function: { isMet: isFunction, text: 'a function' },
  timeZone: {
    isMet: (value) => typeof value === 'string' && isTimeZone(value),
    text: 'an IANA time zone that this system knows, such as "Asia/Tokyo"',
  },
  logger: {
    isMet: (value) =>
      value === null || ['debug', 'info', 'warn', 'error'].every((name) => hasMethod(value, name)),
    text: 'null or a logger with debug, info, warn and error, such as console',
  },
  secrets: {
    isMet: (value) =>
      isFunction(value) || (Array.isArray(value) && value.every((secret) => typeof secret === 'string')),
    text: 'an array of texts, or a function that returns one',
  },
} as const satisfies Readonly<Record<string, Expectation>>;

/** A number from `least` to `most`. */
export function expectNumber(
  least: number,
  {
    isWhole = false,
    most = Number.POSITIVE_INFINITY,
  }: { readonly isWhole?: boolean; readonly most?: number } = {},
): Expectation {
  const range = most === Number.POSITIVE_INFINITY ? `of at least ${least}` : `from ${least} to ${most}`;
  return {
    isMet: (value) =>
      typeof value === 'number' &&
      value >= least &&
      value <= most &&
      (!isWhole || Number.isSafeInteger(value)),
    text: `a ${isWhole ? 'whole ' : ''}number ${range}`,
  };
}

/** One of a few texts. */
export function expectOneOf(...values: readonly string[]): Expectation {
  return {
    isMet: (value) => values.includes(value as string),
    text: values.map((value) => JSON.stringify(value)).join(' or '),
  };
}

/** Null, or what is expected otherwise. */
export function expectNullable({ isMet, text }: Expectation): Expectation {
  return { isMet: (value) => value === null || isMet(value), text: `null or ${text}` };
}

/** An object that has all of these functions. */
export function expectPort(...names: readonly string[]): Expectation {
  return {
    isMet: (value) => names.every((name) => hasMethod(value, name)),
    text: `an object with the functions ${names.join(', ')}`,
  };
}

function hasMethod(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && isFunction((value as Record<string, unknown>)[name]);
}

/**
 * Checks an object of options. An option that is undefined has its default, unless it is required.
 * @throws TypeError that names the option, its value and what is expected
 */
export function checkOptions(
  owner: string,
  options: unknown,
  expectations: Readonly<Record<string, Expectation>>,
  required: readonly string[] = [],
): void {
  if (!isObject(options)) throw new TypeError(`${owner} must be an object; it is ${show(options)}.`);
  const missing = required.filter((name) => options[name] === undefined);
  for (const [name, value] of [
    ...Object.entries(options),
    ...missing.map((name) => [name, undefined] as const),
  ]) {
    const expectation = Object.hasOwn(expectations, name) ? expectations[name] : undefined;
    if (expectation === undefined)
      throw new TypeError(`${owner}.${name} is unknown. Known are ${Object.keys(expectations).join(', ')}.`);
    if ((value !== undefined || missing.includes(name)) && !expectation.isMet(value))
      throw new TypeError(`${owner}.${name} must be ${expectation.text}; it is ${show(value)}.`);
  }
}

const longestShown = 60;

/** A value for an error text: short, and no secret, since texts other than short ones are only named. */
export function show(value: unknown): string {
  if (value === null || ['undefined', 'number', 'boolean', 'bigint'].includes(typeof value))
    return String(value);
  if (typeof value === 'string')
    return value.length <= longestShown ? JSON.stringify(value) : 'a longer text';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : 'an array';
  return typeof value === 'function'
    ? 'a function'
    : `an object (${Object.keys(value as object).join(', ')})`;
}
