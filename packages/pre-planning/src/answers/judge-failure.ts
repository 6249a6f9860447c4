import { APICallError, RetryError } from 'ai';

/**
 * What a request that failed says: `refused`: the endpoint does not know a request of this form; `faulty`: it failed on
 * this form, which another one may not; `unavailable`: it would fail on any.
 */
export type Failure = 'refused' | 'faulty' | 'unavailable';

/** With 200 comes an answer that is none: so do servers that know no such path. */
const refusals: ReadonlySet<number | undefined> = new Set([200, 400, 404, 405, 415, 422]);
/** 500 is what grammars that fail end in, and anything else too. */
const faults: ReadonlySet<number | undefined> = new Set([500, 501]);

export function judgeFailure(error: unknown): Failure {
  const last = RetryError.isInstance(error) ? error.lastError : error;
  if (!APICallError.isInstance(last)) return 'unavailable';
  if (refusals.has(last.statusCode)) return 'refused';
  return faults.has(last.statusCode) ? 'faulty' : 'unavailable';
}
