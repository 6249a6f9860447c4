/**
 * `look-failed`: the thread could not be read. `ended-unheard`: a call ended although the thread could not be read.
 * `left-out`: the agent's own `prepareStep` left the comments out of the request.
 */
export type CommentDetectionErrorCode = 'look-failed' | 'ended-unheard' | 'left-out';

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

  /** Recognises errors of every installed copy of this package. */
  static isInstance(value: unknown): value is CommentDetectionError {
    return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[marker] === true;
  }
}
