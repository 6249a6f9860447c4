/** Messages with which runtimes report a network failure as a `TypeError`: Node, browsers, Deno, Bun. */
const networkMessage =
  /^(?:fetch failed|failed to fetch|load failed|network ?error|socket hang up|terminated|error sending request|error reading a body|unable to connect)/i;
/** Codes of Node for wrong arguments. */
const argumentCode = /^ERR_(?:INVALID|MISSING|UNKNOWN|METHOD_NOT)/;
/** Depth to which causes are read. */
const maxDepth = 5;

/**
 * Tells a defect of code, which no retry fixes, from an outage: a `TypeError` or `ReferenceError`. A `TypeError` by which
 * `fetch` reports the network is an outage: its message says so, it has a code, or its cause is an error of another kind.
 *
 * @example
 * isProgrammingError(new TypeError('source.listComments is not a function')); // true
 * isProgrammingError(new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } })); // false
 */
export function isProgrammingError(error: unknown): boolean {
  return isDefect(error, maxDepth);
}

function isDefect(error: unknown, depth: number): boolean {
  if (!(error instanceof Error) || depth === 0) return false;
  if (error instanceof ReferenceError) return true;
  if (!(error instanceof TypeError) || networkMessage.test(error.message)) return false;
  const { code } = error as { readonly code?: unknown };
  if (code !== undefined && !(typeof code === 'string' && argumentCode.test(code))) return false;
  return error.cause === undefined || isDefect(error.cause, depth - 1);
}
