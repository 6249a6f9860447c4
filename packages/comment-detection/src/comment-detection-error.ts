import { isCertificateCode, isPassingNetworkCode, toErrorMessage } from '@agent/text';

/**
 * `look-failed`: the thread could not be read. `ended-unheard`: a call ended although the thread could not be read.
 * `left-out`: the agent's own `prepareStep` left the comments out of the request. `undelivered`: a call ended with comments that the
 * model has not received.
 */
export type CommentDetectionErrorCode = 'look-failed' | 'ended-unheard' | 'left-out' | 'undelivered';

/** Parts of a `CommentDetectionError`. */
export interface CommentDetectionErrorOptions {
  readonly code: CommentDetectionErrorCode;
  /** Tells whether waiting cannot help, as after a 401 or a defect in the source. */
  readonly isPermanent: boolean;
  readonly cause?: unknown;
}

const marker = Symbol.for('@agent/comment-detection/CommentDetectionError');

/** The one error class of this package. Read it by `code`; the message says what to do. */
export class CommentDetectionError extends Error {
  readonly code: CommentDetectionErrorCode;
  readonly isPermanent: boolean;

  constructor(message: string, { code, isPermanent, cause }: CommentDetectionErrorOptions) {
    super(message, { cause });
    this.name = 'CommentDetectionError';
    this.code = code;
    this.isPermanent = isPermanent;
    Object.defineProperty(this, marker, { value: true });
  }

  /** Recognizes errors of every installed copy of this package. */
  static isInstance(value: unknown): value is CommentDetectionError {
    return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[marker] === true;
  }
}

/** Answer to an error: `fail` the call with it, or go on without what could not be heard. */
export type FailureAnswer = 'fail' | 'go-on' | undefined;

/**
 * Told of everything that keeps comments from being heard. Without it, and where it answers nothing, an error that
 * waiting cannot fix fails the call, an outage is waited for, and what else is lost is told on `console.warn`.
 */
// biome-ignore lint/suspicious/noConfusingVoidType: a callback that only logs answers nothing
export type FailureListener = (error: CommentDetectionError) => FailureAnswer | void;

/** Throws where the call has to fail. */
export function heedFailure(error: CommentDetectionError, onError: FailureListener | undefined): void {
  const answer = onError?.(error) ?? undefined;
  if (answer === 'fail') throw error;
  if (answer !== undefined) return;
  if (error.code === 'look-failed' && error.isPermanent) throw error;
  if (error.code !== 'look-failed' && onError === undefined) console.warn(error.message);
}

/** Reads the result of a look for a failure. */
export function heedPoll(
  { status, error: cause }: { readonly status: string; readonly error?: unknown },
  onError: FailureListener | undefined,
): void {
  if (status !== 'failed') return;
  const isPermanent = !isOutage(cause);
  const reason = toErrorMessage(cause);
  const advice = isPermanent
    ? ' Waiting does not help: fix the source or its token. An error with `retryAfterMs`, with `code: "unavailable"` or of the network counts as an outage; `onError` may return "go-on".'
    : '';
  const message = `The thread's comments could not be read: ${reason}.${advice}`;
  heedFailure(new CommentDetectionError(message, { code: 'look-failed', isPermanent, cause }), onError);
}

const passingCodes: ReadonlySet<unknown> = new Set(['unavailable', 'rate-limited', 'timeout']);
const passingNames: ReadonlySet<unknown> = new Set(['AbortError', 'TimeoutError']);
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
 *
 * @example
 * isOutage(new Error('slow down', { cause: { status: 429 } })); // true
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
  if (isPassingNetworkCode(code) || isPassingNetworkCode(name)) return true;
  return isPassing(cause, depth - 1) || (typeof message === 'string' && networkMessage.test(message));
}

/** A certificate that cannot be trusted, or an address that is not one: the same the next time. */
function isLasting(error: unknown, depth: number): boolean {
  if (typeof error !== 'object' || error === null || depth === 0) return false;
  const { code, cause } = error as Fields;
  return code === 'ERR_INVALID_URL' || isCertificateCode(code) || isLasting(cause, depth - 1);
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

/** Reads a header out of `Headers` as fetch gives them, or out of an object. */
function readHeader(headers: object, name: string): string | null {
  const value = headers instanceof Headers ? headers.get(name) : (headers as Fields)[name];
  return value === undefined || value === null ? null : String(value);
}
