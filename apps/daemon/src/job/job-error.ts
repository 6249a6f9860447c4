/** A job that cannot be run as its workflow, its event or its platform is. The message says what to change. */
export class JobError extends Error {
  readonly code = 'job';

  constructor(message: string) {
    super(message);
    this.name = 'JobError';
  }
}
