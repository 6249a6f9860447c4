const networkCodes: ReadonlySet<unknown> = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);
const passingCodes: ReadonlySet<unknown> = new Set(['unavailable', 'rate-limited', 'timeout']);
const passingNames: ReadonlySet<unknown> = new Set(['AbortError', 'TimeoutError']);
const networkMessage =
  /^(?:fetch failed|failed to fetch|load failed|network error|socket hang up|terminated)$/i;
/** Errors that are the causes of errors, and no cycle of them. */
const maxDepth = 5;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Whether an error says that waiting may help: the network, a time-out, a limit, a server's own trouble. It is read
 * by its shape: `retryAfterMs`; `code` (`unavailable`, `rate-limited`, `timeout`, or of Node's network); `status`
 * 408, 425, 429 or from 500, also 403 where its headers tell of a limit; or a `cause` that is one. Everything else,
 * such as 401, 403, 404 and a `TypeError` of the source's own code, is the same the next time.
 */
export function isOutage(error: unknown): boolean {
  return isPassing(error, maxDepth);
}

function isPassing(error: unknown, depth: number): boolean {
  if (typeof error !== 'object' || error === null || depth === 0) return false;
  const { retryAfterMs, code, name, message, cause } = error as Fields;
  if (typeof retryAfterMs === 'number' || passingNames.has(name) || passingCodes.has(code)) return true;
  const status = statusOf(error as Fields);
  if (status !== null && status >= 400) return isPassingStatus(status, error as Fields);
  if (networkCodes.has(code) || (typeof code === 'string' && code.startsWith('UND_ERR_'))) return true;
  return isPassing(cause, depth - 1) || (typeof message === 'string' && networkMessage.test(message));
}

function statusOf({ status, statusCode, response }: Fields): number | null {
  const inResponse = (response as Fields | null | undefined)?.status;
  const found = [status, statusCode, inResponse].find((value) => typeof value === 'number');
  return (found as number | undefined) ?? null;
}

function isPassingStatus(status: number, { response, headers }: Fields): boolean {
  if (status !== 403) return [408, 425, 429].includes(status) || status >= 500;
  const sent = (headers ?? (response as Fields | null | undefined)?.headers ?? {}) as Fields;
  return sent['retry-after'] !== undefined || String(sent['x-ratelimit-remaining']) === '0';
}
