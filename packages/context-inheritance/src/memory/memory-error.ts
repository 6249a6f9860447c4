/** Kinds of failures of a memory. */
export type MemoryErrorCode =
  /** The storage could not be read or written; nothing was changed. */
  | 'storage'
  /** The run has ended: it takes no further results. */
  | 'run-ended';

interface MemoryErrorOptions {
  readonly code: MemoryErrorCode;
  readonly cause?: unknown;
}

const marker = Symbol.for('@agent/context-inheritance/MemoryError');

/** Error of `createMemory`. Read it by `code`; the message says what to do. */
export class MemoryError extends Error {
  readonly code: MemoryErrorCode;

  constructor(message: string, { code, cause }: MemoryErrorOptions) {
    super(message, { cause });
    this.name = 'MemoryError';
    this.code = code;
    Object.defineProperty(this, marker, { value: true });
  }

  /** Recognizes errors of every installed copy of this package. */
  static isInstance(value: unknown): value is MemoryError {
    return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[marker] === true;
  }
}
