import { APICallError, RetryError } from 'ai';

/**
 * Statuses with which servers refuse a request that they do not know; 200 without an answer is nonsense, 500 is what
 * grammars that fail end in.
 */
const statuses: ReadonlySet<number | undefined> = new Set([200, 400, 404, 405, 415, 422, 500, 501]);

/** Whether an endpoint refused the form of a request, so that another form is worth a try. */
export function isRefusal(error: unknown): boolean {
  const last = RetryError.isInstance(error) ? error.lastError : error;
  return APICallError.isInstance(last) && statuses.has(last.statusCode);
}
