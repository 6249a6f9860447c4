const marker = Symbol.for('@agent/thread-context/error');

/** Codes of a `ThreadContextError`. */
export type ThreadContextErrorCode = 'invalid-input';

/**
 * A thread that no context can be made of. What the platform itself refuses is not this error: that passes
 * through as the reader threw it.
 */
export class ThreadContextError extends Error {
  readonly code: ThreadContextErrorCode;

  constructor(code: ThreadContextErrorCode, message: string) {
    super(message);
    this.name = 'ThreadContextError';
    this.code = code;
    Object.defineProperty(this, marker, { value: true });
  }

  /** Recognizes errors of another installed copy of this package too. */
  static isInstance(error: unknown): error is ThreadContextError {
    return typeof error === 'object' && error !== null && marker in error;
  }
}
