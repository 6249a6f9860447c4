import type { ErrorBody } from './read-error-body.ts';

/** Headers of an answer, by their name in lower case. */
export type Headers = Readonly<Record<string, string>>;

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

const part =
  /(\d+(?:\.\d+)?) ?(milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d)(?![a-z])/gi;

const asked =
  /(?:retry|try again|try your request again|wait|reset\w*|available(?: again)?)\b[^.]{0,40}?\b(?:in|after|for|wait) (?:about |approximately )?((?:\d+(?:\.\d+)? ?[a-z]+[ ,]*(?:and )?){1,4})/i;

const waitFor = /\bwait (?:for )?((?:\d+(?:\.\d+)? ?[a-z]+[ ,]*(?:and )?){1,4})/i;

const dated =
  /\b(?:until|at|after|on) (\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z| ?UTC|[+-]\d\d:?\d\d)?)/i;

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
  const wanted = asked.exec(text)?.[1] ?? waitFor.exec(text)?.[1];
  const ms = wanted === undefined ? null : toMs(wanted);
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
    if (!/ratelimit.*reset/.test(name)) return [];
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
  for (const [, amount, name] of text.matchAll(part)) {
    const unit = /^(?:ms|milli)/i.test(name ?? '') ? 'ms' : (name ?? '').slice(0, 1).toLowerCase();
    ms = (ms ?? 0) + Number(amount) * (unitMs[unit] ?? 0);
  }
  return ms === null ? null : Math.ceil(ms);
}

function positive(ms: number): number | null {
  return ms >= 0 ? ms : null;
}
