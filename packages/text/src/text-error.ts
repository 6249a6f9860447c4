const marker = Symbol.for('@agent/text/error');

/** Codes of a `TextError`. */
export type TextErrorCode = 'invalid-input';

/** An argument that no text can be made with, such as a nonce that could be guessed. */
export class TextError extends Error {
  readonly code: TextErrorCode;

  constructor(code: TextErrorCode, message: string) {
    super(message);
    this.name = 'TextError';
    this.code = code;
    Object.defineProperty(this, marker, { value: true });
  }

  /** Recognizes errors of another installed copy of this package too. */
  static isInstance(error: unknown): error is TextError {
    return typeof error === 'object' && error !== null && marker in error;
  }
}
