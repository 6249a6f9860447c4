/** A configuration that cannot be used. The message is for the person who wrote it: what is wrong, where, what to do. */
export class ConfigError extends Error {
  readonly code = 'config';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ConfigError';
  }
}

/**
 * Takes a secret from the environment.
 *
 * @throws ConfigError when the variable is not set or is empty; `purpose` says what it would have been for.
 */
export function readSecret(
  environment: Readonly<Record<string, string | undefined>>,
  secret: { name: string; purpose: string },
): string {
  const value = environment[secret.name]?.trim();
  if (value === undefined || value === '') {
    throw new ConfigError(
      `${secret.name} is not set. It holds ${secret.purpose}. Export it, or put it into a .env file next to the configuration.`,
    );
  }
  return value;
}
