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
/** A server that shows a certificate nobody trusts, or an address that is none: the same the next time. */
const lastingCode =
  /^(?:CERT_|CRL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_CERT|ERR_INVALID_URL|HOSTNAME_MISMATCH$)/;
const networkMessage =
  /^(?:fetch failed|failed to fetch|load failed|network error|socket hang up|terminated)$/i;
/** Errors that are the causes of errors, and no cycle of them. */
const maxDepth = 5;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Tells whether an error says that waiting may help: the network, a time-out, a limit, a server's own trouble. It is read
 * by its shape: `retryAfterMs`; `code` (`unavailable`, `rate-limited`, `timeout`, or of Node's network); `status`
 * 408, 425, 429 or from 500, also 403 where its headers tell of a limit; or a `cause` that is one. Everything else,
 * such as 401, 403, 404, a certificate that is not trusted and a `TypeError` of the source's own code, is the same the
 * next time.
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
  if (isLasting(error, depth)) return false;
  if (networkCodes.has(code) || (typeof code === 'string' && code.startsWith('UND_ERR_'))) return true;
  return isPassing(cause, depth - 1) || (typeof message === 'string' && networkMessage.test(message));
}

function isLasting(error: unknown, depth: number): boolean {
  if (typeof error !== 'object' || error === null || depth === 0) return false;
  const { code, cause } = error as Fields;
  return (typeof code === 'string' && lastingCode.test(code)) || isLasting(cause, depth - 1);
}

function statusOf({ status, statusCode, response }: Fields): number | null {
  const inResponse = (response as Fields | null | undefined)?.status;
  const found = [status, statusCode, inResponse].find((value) => typeof value === 'number');
  return (found as number | undefined) ?? null;
}

function isPassingStatus(status: number, { response, headers }: Fields): boolean {
  if (status !== 403) return [408, 425, 429].includes(status) || status >= 500;
  const sent = headers ?? (response as Fields | null | undefined)?.headers ?? {};
  return readHeader(sent, 'retry-after') !== null || readHeader(sent, 'x-ratelimit-remaining') === '0';
}

/** Of `Headers` as fetch gives them, or of an object. */
function readHeader(headers: object, name: string): string | null {
  const value = headers instanceof Headers ? headers.get(name) : (headers as Fields)[name];
  return value === undefined || value === null ? null : String(value);
}
