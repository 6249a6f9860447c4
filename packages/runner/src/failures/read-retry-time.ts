import type { ErrorBody } from './read-error-body.ts';

/** Headers of an answer, by their name in lower case. */
export type Headers = Readonly<Record<string, string>>;

/** Milliseconds of each unit, by its names in the singular. */
const unitMs: ReadonlyMap<string, number> = new Map([
  ...['ms', 'millisecond'].map((name) => [name, 1] as const),
  ...['s', 'sec', 'second'].map((name) => [name, 1_000] as const),
  ...['m', 'min', 'minute'].map((name) => [name, 60_000] as const),
  ...['h', 'hr', 'hour'].map((name) => [name, 3_600_000] as const),
  ...['d', 'day'].map((name) => [name, 86_400_000] as const),
]);

/** An amount and the word behind it. */
const part = /(?<!\d)(\d+(?:\.\d+)?) ?([a-z]{1,12})(?![a-z])/gi;

/** Words before a duration that ask to wait for it. The first expression that is found counts. */
const requests = [
  /(?:retry|try again|try your request again|wait|reset\w{0,9}|available(?: again)?)\b[^.]{0,40}?\b(?:in|after|for|wait) (?:about |approximately )?(?=[\d.]{1,12} ?[a-z])/i,
  /\bwait (?:for )?(?=[\d.]{1,12} ?[a-z])/i,
];

/** Characters of a sentence that a duration can have. */
const maxDurationChars = 100;

const dated =
  /\b(?:until|at|after|on) (\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z| ?UTC|[+-]\d\d:?\d\d)?)/i;

/**
 * The wait that the body of an answer asks for, in milliseconds: fields such as `retryDelay`, then sentences such as
 * "try again in 7m12s". Null if it names none.
 */
export function readBodyWait({ words, fields, numbers }: ErrorBody, now: () => number): number | null {
  const delay = fields.get('retrydelay');
  if (delay !== undefined) return toMs(delay);
  for (const name of ['retry_after', 'retry-after', 'retryafter', 'retry_after_seconds']) {
    const seconds = numbers.get(name) ?? Number(fields.get(name) ?? Number.NaN);
    if (seconds >= 0) return seconds * 1_000;
  }
  const text = words.join('\n');
  const found = requests.map((request) => request.exec(text)).find((one) => one !== null);
  const start = found === undefined ? text.length : found.index + found[0].length;
  const ms = toMs(text.slice(start, start + maxDurationChars));
  if (ms !== null) return ms;
  const date = dated.exec(text)?.[1]?.replace(' UTC', 'Z').replace(' ', 'T');
  return date === undefined ? null : positive(Date.parse(date) - now());
}

/** The wait that headers ask for, in milliseconds: seconds, a date, or milliseconds in a header of some endpoints' own. */
export function readHeaderWait(headers: Headers, now: () => number): number | null {
  const milliseconds = Number.parseFloat(headers['retry-after-ms'] ?? '');
  if (milliseconds >= 0) return milliseconds;
  const header = headers['retry-after'] ?? '';
  const seconds = Number(header === '' ? Number.NaN : header);
  return positive(Number.isNaN(seconds) ? Date.parse(header) - now() : seconds * 1_000);
}

/**
 * The wait until a limit that is used up is reset, in milliseconds; of several the longest. Endpoints name the time as
 * seconds, as seconds or milliseconds since 1970, as a date, or as a duration such as `6m0s`.
 */
export function readResetWait(headers: Headers, now: () => number): number | null {
  const waits = Object.entries(headers).flatMap(([name, value]) => {
    const at = name.indexOf('ratelimit');
    if (at === -1 || !name.includes('reset', at)) return [];
    const remaining = headers[name.replace('reset', 'remaining')];
    if (remaining !== undefined && Number(remaining) > 0) return [];
    return [toResetMs(value.trim(), now)].filter((ms) => ms !== null);
  });
  return waits.length === 0 ? null : Math.max(...waits);
}

function toResetMs(value: string, now: () => number): number | null {
  const number = Number(value === '' ? Number.NaN : value);
  if (!Number.isNaN(number)) {
    if (number > 1e11) return positive(number - now());
    return number > 1e9 ? positive(number * 1_000 - now()) : number * 1_000;
  }
  const duration = toMs(value);
  return duration ?? positive(Date.parse(value) - now());
}

/** Milliseconds of `20.8s`, `7m12s` or `1 hour and 5 minutes`; null for other texts. */
function toMs(text: string): number | null {
  let ms: number | null = null;
  let end = 0;
  for (const { 0: found, 1: amount, 2: word = '', index } of text.matchAll(part)) {
    const name = word.toLowerCase();
    const unit = unitMs.get(name) ?? unitMs.get(name.replace(/s$/, ''));
    if (unit === undefined) break;
    if (ms !== null && !/^[ ,]*(?:and )?$/i.test(text.slice(end, index))) break;
    ms = (ms ?? 0) + Number(amount) * unit;
    end = index + found.length;
  }
  return ms === null ? null : Math.ceil(ms);
}

function positive(ms: number): number | null {
  return ms >= 0 ? ms : null;
}
