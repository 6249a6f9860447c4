import { isTimeZone } from './time-zone.ts';

/** Condition that the value of an option has to meet. */
export interface Expectation {
  readonly isMet: (value: unknown) => boolean;
  /** Completes the sentence "The option must be …". */
  readonly text: string;
  /** True if no error may show the value. Default false. */
  readonly isSecret?: boolean;
  /** Options of the value, which are checked one by one. */
  readonly options?: Expectations;
  /** Names of those of its options that must be given. Default none. */
  readonly required?: readonly string[];
}

/** Conditions of options, by their names. */
export type Expectations = Readonly<Record<string, Expectation>>;

/** A condition for each option of a type. */
export type ExpectationsOf<Options> = Readonly<Record<keyof Options, Expectation>>;

const isFunction = (value: unknown) => typeof value === 'function';

/** True for an object that is no array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isHttpUrl(value: unknown): boolean {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

/** Conditions that several options have. */
export const expected = {
  flag: { isMet: (value) => typeof value === 'boolean', text: 'true or false' },
  text: {
    isMet: (value) => typeof value === 'string' && value.trim() !== '',
    text: 'a text that is not empty',
  },
  /** Id of an account or a post: platforms and their clients give either type. */
  id: {
    isMet: (value) => (typeof value === 'string' && value.trim() !== '') || Number.isSafeInteger(value),
    text: 'a whole number or a text that is not empty',
  },
  /** Name of a command in a comment, with or without its slash. */
  commandName: {
    isMet: (value) => typeof value === 'string' && /^[/／]?[^\s/／]\S{0,63}$/.test(value),
    text: 'the name of a command, such as "stop" or "/stop"',
  },
  function: { isMet: isFunction, text: 'a function' },
  object: { isMet: isObject, text: 'an object' },
  time: {
    isMet: (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
    text: 'a time such as "2026-07-01T10:00:00Z"',
  },
  signal: { isMet: (value) => value instanceof AbortSignal, text: 'an AbortSignal' },
  timeZone: {
    isMet: (value) => typeof value === 'string' && isTimeZone(value),
    text: 'an IANA time zone that this system knows, such as "Asia/Tokyo"',
  },
  logger: {
    isMet: (value) =>
      value === null || ['debug', 'info', 'warn', 'error'].every((name) => hasMethod(value, name)),
    text: 'null or a logger with debug, info, warn and error, such as console',
  },
  httpUrl: {
    isMet: isHttpUrl,
    text: 'an address that begins with http:// or https://, without user and password',
    isSecret: true,
  },
  secrets: {
    isMet: (value) =>
      isFunction(value) || (Array.isArray(value) && value.every((secret) => typeof secret === 'string')),
    text: 'an array of texts, or a function that returns one',
    isSecret: true,
  },
} as const satisfies Expectations;

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
export function expectNullable({ isMet, text, ...others }: Expectation): Expectation {
  return { ...others, isMet: (value) => value === null || isMet(value), text: `null or ${text}` };
}

/** An array whose entries all meet a condition. */
export function expectList({ isMet, text, isSecret = false }: Expectation): Expectation {
  return {
    isMet: (value) => Array.isArray(value) && value.every(isMet),
    text: `an array, each entry ${text}`,
    isSecret,
  };
}

/** An object that has all of these functions. */
export function expectPort(...names: readonly string[]): Expectation {
  return {
    isMet: (value) => names.every((name) => hasMethod(value, name)),
    text: `an object with the functions ${names.join(', ')}`,
  };
}

/** An object of options of its own, unknown ones refused. */
export function expectOptions(options: Expectations, required: readonly string[] = []): Expectation {
  return { isMet: isObject, text: `an object of ${Object.keys(options).join(', ')}`, options, required };
}

function hasMethod(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && isFunction((value as Record<string, unknown>)[name]);
}

/**
 * Checks an object of options. An option that is undefined has its default, unless it is required.
 *
 * @param owner stands before the names in errors, such as `ThreadContextOptions`
 * @throws TypeError that names the option, its value, what is expected, and of an unknown option the one that was probably meant
 *
 * @example
 * checkOptions('BudgetOptions', { maxTokens: '10' }, { maxTokens: expectNumber(1) });
 * // TypeError: BudgetOptions.maxTokens must be a number of at least 1; it is "10".
 */
export function checkOptions(
  owner: string,
  options: unknown,
  expectations: Expectations,
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
      throw new TypeError(`${owner}.${name} is unknown.${suggestName(name, Object.keys(expectations))}`);
    if (value === undefined && !missing.includes(name)) continue;
    checkValue(`${owner}.${name}`, value, expectation);
  }
}

/**
 * Checks a single value, such as an argument.
 *
 * @param name stands before the value in the error
 * @throws TypeError that names the value and what is expected
 */
export function checkValue(name: string, value: unknown, expectation: Expectation): void {
  if (!expectation.isMet(value)) {
    const shown = expectation.isSecret === true ? describeType(value) : show(value);
    throw new TypeError(`${name} must be ${expectation.text}; it is ${shown}.`);
  }
  if (expectation.options !== undefined && isObject(value))
    checkOptions(name, value, expectation.options, expectation.required);
}

/** Letters by which an option and a slip of it differ at most. */
const farthestSlip = 2;

function suggestName(name: string, known: readonly string[]): string {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[_-]/g, '');
  const nearest = findNearest(plain(name), known.map(plain));
  const meant =
    known.find((one) => plain(one) === nearest?.name && nearest.edits <= farthestSlip) ??
    known.find((one) => plain(one).startsWith(plain(name)) || plain(name).startsWith(plain(one))) ??
    known.find((one) => plain(name).endsWith(plain(one)));
  return meant === undefined ? ` Known are ${known.join(', ')}.` : ` Did you mean ${meant}?`;
}

/** Finds the name with the smallest Levenshtein distance, the first of several; null if there are no names. */
export function findNearest(
  name: string,
  known: readonly string[],
): { readonly name: string; readonly edits: number } | null {
  const found = known.map((one) => ({ name: one, edits: countEdits(one, name) }));
  return found.toSorted((one, other) => one.edits - other.edits)[0] ?? null;
}

/** Levenshtein distance. Written here because configuration modules import this one, which loads nothing else. */
function countEdits(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (let at = 0; at < other.length; at += 1) {
      const replaced = (row[at] ?? 0) + (letter === other[at] ? 0 : 1);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}

const longestShown = 60;

/** A value for an error text: short, since longer texts are only named. */
export function show(value: unknown): string {
  if (typeof value === 'string' && value.length <= longestShown) return JSON.stringify(value);
  if (value === null || ['undefined', 'number', 'boolean', 'bigint'].includes(typeof value))
    return String(value);
  return isObject(value) ? `an object (${Object.keys(value).join(', ')})` : describeType(value);
}

function describeType(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : 'an array';
  if (typeof value === 'string') return value === '' ? 'an empty text' : 'a text';
  if (value === null || value === undefined) return String(value);
  return `${/^[aeiou]/.test(typeof value) ? 'an' : 'a'} ${typeof value}`;
}
