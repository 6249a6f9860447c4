import { isHideable } from '@agent/text/secrets';
import { builtInNames } from '../platforms/names.ts';
import { listNamedPlatforms } from '../platforms/table.ts';
import type { Environment } from './load-config.ts';
import type { Config } from './schema.ts';
import { webhookVariableOf } from './webhook-schema.ts';

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
    ...listNamedPlatforms(config.platforms).map(({ section }) => section.token_env),
    ...builtInNames.map((name) => webhookVariableOf(name, config.webhooks)),
    config.llm.api_key_env ?? 'OPENAI_API_KEY',
    ...Object.values(config.mcp_servers).map((server) => ('token_env' in server ? server.token_env : null)),
  ];
  return new Set(names.filter((name) => typeof name === 'string'));
}
