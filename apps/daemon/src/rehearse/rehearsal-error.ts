/** Failure of a check whose cause is known. Its instruction replaces the usual one of the check. */
export class CheckFailure extends Error {
  /** What the user does about this cause. */
  readonly fix: string;

  constructor(message: string, fix: string) {
    super(message);
    this.name = 'CheckFailure';
    this.fix = fix;
  }
}

/** A rehearsal that cannot begin or continue. The message is for the user at the terminal. */
export class RehearsalError extends Error {
  readonly code = 'rehearsal';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RehearsalError';
  }
}
