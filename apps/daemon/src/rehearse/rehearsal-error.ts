/** A rehearsal that cannot begin or continue. The message is for the user at the terminal. */
export class RehearsalError extends Error {
  readonly code = 'rehearsal';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RehearsalError';
  }
}
