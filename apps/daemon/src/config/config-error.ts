/** A configuration that cannot be used. The message is for the person who wrote it: what is wrong, where, what to do. */
export class ConfigError extends Error {
  readonly code = 'config';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ConfigError';
  }
}
