/** What a caller can tell apart, and act on, when the store or a journal fails. */
export type ContextStoreErrorCode =
  /** No space left, or a quota reached. */
  | 'storage-full'
  /** The disk refused for any other reason. */
  | 'storage-failed'
  /** A file is there but does not say what it must. */
  | 'damaged'
  /** Another process owns the directory. */
  | 'owned'
  /** The caller asked for something that cannot be: a malformed uuid, a run that has ended. */
  | 'invalid';

export interface ContextStoreErrorOptions {
  readonly code: ContextStoreErrorCode;
  readonly cause?: unknown;
}

const marker = Symbol.for('@agent/context-inheritance/ContextStoreError');

/** The one error class of this package. Read it by `code`; the message says what to do. */
export class ContextStoreError extends Error {
  readonly code: ContextStoreErrorCode;

  constructor(message: string, options: ContextStoreErrorOptions) {
    super(message, { cause: options.cause });
    this.name = 'ContextStoreError';
    this.code = options.code;
    Object.defineProperty(this, marker, { value: true });
  }

  /** Recognises errors of every installed copy of this package. */
  static isInstance(value: unknown): value is ContextStoreError {
    return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[marker] === true;
  }
}
