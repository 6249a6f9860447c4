/** A command that cannot be carried out as it was given. The message is for the person at the terminal. */
export class CommandError extends Error {
  readonly code = 'command';

  constructor(message: string) {
    super(message);
    this.name = 'CommandError';
  }
}
