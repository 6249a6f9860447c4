/** Failures on a platform, in the words that a caller can act on. */
export type PlatformErrorCode =
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'rate-limited'
  | 'conflict'
  | 'invalid'
  | 'unavailable';

/**
 * The part that an error is a state of: the whole platform (it does not answer), our credential (refused, or at its limit), the place
 * (a repository or project, or what was asked for in it, is gone or closed to us), or this one request.
 */
type PlatformErrorScope = 'platform' | 'credential' | 'place' | 'request';

const scopes: Readonly<Record<PlatformErrorCode, PlatformErrorScope>> = {
  unavailable: 'platform',
  unauthorized: 'credential',
  'rate-limited': 'credential',
  forbidden: 'place',
  'not-found': 'place',
  conflict: 'request',
  invalid: 'request',
};

/** Tells whether a text, or anything else, is one of the codes. */
export function isPlatformErrorCode(value: unknown): value is PlatformErrorCode {
  return typeof value === 'string' && Object.hasOwn(scopes, value);
}

/**
 * Cause of an error, if it decides what an operator has to do: a token file that cannot be used, a private key that is missing or
 * malformed, an App that the platform does not accept, an App that is not installed there, an account that is suspended, or an address
 * that is not that of the platform's API.
 */
export type PlatformErrorReason =
  | 'token-file'
  | 'private-key'
  | 'app-login'
  | 'app-installation'
  | 'suspended'
  | 'other-service';

/** Facts that a `PlatformError` carries beside its message. */
export interface PlatformErrorOptions {
  readonly code: PlatformErrorCode;
  /** Default null. */
  readonly reason?: PlatformErrorReason | null | undefined;
  /** Milliseconds to wait before asking again; null where the platform did not say. */
  readonly retryAfterMs?: number | null;
  readonly cause?: unknown;
}

const marker = Symbol.for('@agent/platforms/PlatformError');

/**
 * The one error class of this package. Read it by `code`; the message says what to do.
 *
 * @example
 * await platform.identity.whoAmI().catch((error: unknown) => {
 *   if (PlatformError.isInstance(error) && error.code === 'unauthorized') throw new Error('Give another token.');
 *   throw error;
 * });
 */
export class PlatformError extends Error {
  readonly code: PlatformErrorCode;
  readonly scope: PlatformErrorScope;
  readonly reason: PlatformErrorReason | null;
  readonly retryAfterMs: number | null;

  constructor(message: string, options: PlatformErrorOptions) {
    super(message, { cause: options.cause });
    this.name = 'PlatformError';
    this.code = options.code;
    this.scope = scopes[options.code];
    this.reason = options.reason ?? null;
    this.retryAfterMs = options.retryAfterMs ?? null;
    Object.defineProperty(this, marker, { value: true });
  }

  /** Recognizes errors of every installed copy of this package. */
  static isInstance(value: unknown): value is PlatformError {
    return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[marker] === true;
  }
}

/** Tells whether a platform said that what was asked for is not there. */
export function isNotFound(error: unknown): boolean {
  return PlatformError.isInstance(error) && error.code === 'not-found';
}
