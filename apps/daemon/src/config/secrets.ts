import { isHideable } from '@agent/text/secrets';
import { ConfigError } from './config-error.ts';
import type { Environment } from './load-config.ts';
import type { Config } from './schema.ts';

/** Names that hold a secret in any program's environment. */
const secretName = /(?:TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|PRIVATE_?KEY|CREDENTIALS?)$/i;

/**
 * Every value that must never leave the process: the variables that the configuration names, and all others of
 * the environment whose names say that they are secret.
 */
export function collectSecrets(config: Config, environment: Environment): readonly string[] {
  const named = listSecretNames(config);
  return Object.entries(environment)
    .filter(([name, value]) => value !== undefined && (named.has(name) || secretName.test(name)))
    .map(([, value]) => value?.trim() ?? '');
}

/** Names of the variables of this configuration whose values are too short to be told from ordinary words, sorted. */
export function listShortSecrets(config: Config, environment: Environment): readonly string[] {
  return [...listSecretNames(config)]
    .filter((name) => {
      const value = environment[name]?.trim() ?? '';
      return value !== '' && !isHideable(value);
    })
    .sort();
}

function listSecretNames(config: Config): ReadonlySet<string> {
  const names = [
    config.platforms.github?.token_env,
    config.platforms.gitlab?.token_env,
    config.webhooks.github.secret_env,
    config.webhooks.gitlab.token_env,
    config.llm.api_key_env ?? 'OPENAI_API_KEY',
    ...Object.values(config.mcp_servers).map((server) => ('token_env' in server ? server.token_env : null)),
  ];
  return new Set(names.filter((name) => typeof name === 'string'));
}

/**
 * Takes a secret from the environment.
 *
 * @throws ConfigError when the variable is not set or is empty; `purpose` says what it would have been for.
 */
export function readSecret(environment: Environment, secret: { name: string; purpose: string }): string {
  const value = environment[secret.name]?.trim();
  if (value === undefined || value === '') {
    throw new ConfigError(
      `${secret.name} is not set. It holds ${secret.purpose}. Export it, or put it into a file .env beside the configuration.`,
    );
  }
  return value;
}
