import type { TrustPolicy } from '@agent/orchestrator';
import type { Account, CallOptions, Platform } from '@agent/platforms';
import { ConfigError } from '../config/config-error.ts';
import type { Config } from '../config/schema.ts';

/** In a list beside names: people with write permission, too. */
const collaborators = 'collaborators';

/**
 * Finds the accounts that `trust` names, once for each platform: from then on they go by their numbers, so that whoever
 * takes a name over later is somebody else. A platform that cannot look accounts up knows them by name or number.
 *
 * @returns one policy for each platform, in their order
 * @throws ConfigError that names what no platform knows; PlatformError when one cannot be asked
 */
export async function resolveTrust(
  setting: Config['trust'],
  { platforms, signal }: { readonly platforms: readonly Platform[] } & CallOptions,
): Promise<readonly TrustPolicy[]> {
  const entries = typeof setting === 'string' ? [] : setting;
  const names = entries.filter((entry) => entry !== collaborators);
  const shared = {
    everyone: setting === 'everyone',
    collaborators: setting === collaborators || entries.includes(collaborators),
  };
  const found = new Set<string>();
  const policies: TrustPolicy[] = [];
  for (const platform of platforms) {
    const ids = new Set<string>();
    for (const name of names) {
      if (platform.accounts === undefined) found.add(name);
      const account = await platform.accounts?.findAccount(name, { signal });
      if (account == null) continue;
      ids.add(account.id);
      found.add(name);
    }
    const isNamed = platform.accounts === undefined ? namesAccount(names) : ({ id }: Account) => ids.has(id);
    policies.push({ ...shared, isNamed });
  }
  const unknown = names.filter((name) => !found.has(name));
  if (unknown.length > 0) throw unknownNames(unknown, platforms);
  return policies;
}

function namesAccount(names: readonly string[]): TrustPolicy['isNamed'] {
  const known = new Set(names.map((name) => name.toLowerCase()));
  return ({ id, login }) => known.has(id.toLowerCase()) || known.has(login.toLowerCase());
}

function unknownNames(names: readonly string[], platforms: readonly Platform[]): ConfigError {
  const hosts = platforms.map(({ host }) => host).join(' and ');
  return new ConfigError(
    `trust names ${names.map((name) => JSON.stringify(name)).join(', ')}, but there is no such account on ${hosts}. Write login names without "@"; those of apps end in "[bot]".`,
  );
}
