/** Fault of a configuration for which there is a remedy of its own. */
export type ConfigFault =
  | 'no-file'
  | 'unreadable-file'
  | 'not-a-file'
  | 'unknown-encoding'
  | 'invalid-yaml'
  | 'invalid-settings'
  | 'variable-not-set';

/** Facts of a `ConfigError` beside what is wrong. */
export interface ConfigErrorOptions extends ErrorOptions {
  /** Sentence that says what to do. It ends the message. */
  readonly remedy?: string | undefined;
  readonly fault?: ConfigFault | undefined;
}

/** A configuration that cannot be used. The message is for the person who wrote it: what is wrong, where, what to do. */
export class ConfigError extends Error {
  readonly code = 'config';
  /** The message without its remedy. */
  readonly problem: string;
  /** Null for a fault whose remedy is in `problem`. */
  readonly fault: ConfigFault | null;

  constructor(problem: string, { remedy, fault, ...options }: ConfigErrorOptions = {}) {
    super(remedy === undefined ? problem : `${problem} ${remedy}`, options);
    this.name = 'ConfigError';
    this.problem = problem;
    this.fault = fault ?? null;
  }
}

/**
 * Takes a secret from the environment.
 *
 * @throws ConfigError if the variable is not set or is empty; `purpose` completes "It holds …" in its message
 */
export function readSecret(
  environment: Readonly<Record<string, string | undefined>>,
  secret: { name: string; purpose: string },
): string {
  const value = environment[secret.name]?.trim();
  if (value === undefined || value === '') {
    throw new ConfigError(`${secret.name} is not set. It holds ${secret.purpose}.`, {
      fault: 'variable-not-set',
      remedy: 'Export it, or add it to the file .env beside the configuration.',
    });
  }
  return value;
}
