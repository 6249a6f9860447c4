import type { Account, CallOptions, Platform } from '@agent/platforms';
import { ConfigError } from '../config/config-error.ts';
import type { TrustPolicy } from '../thread/trust.ts';

/** People who may give tasks and steer runs, as the configuration says it. */
export type TrustSetting = string | readonly string[];

/** Trust on all platforms, which may change while they are at work. */
export interface TrustBook {
  /** Opens the policy of each platform, in their order; what is decided later holds for these, too. */
  readonly open: (
    setting: TrustSetting,
    at: { readonly platforms: readonly Platform[] } & CallOptions,
  ) => Promise<readonly TrustPolicy[]>;
  /** Finds out what another setting means on the platforms that are open, and gives back what makes it count. */
  readonly prepare: (setting: TrustSetting, options?: CallOptions) => Promise<() => void>;
}

/**
 * Creates it. Throws what `resolveTrust` throws; then nothing changes.
 *
 * @example
 * const trust = createTrustBook();
 * const [policy] = await trust.open('collaborators', { platforms: [platform] });
 * (await trust.prepare(['alice']))();
 */
export function createTrustBook(): TrustBook {
  let opened: readonly Platform[] = [];
  let policies: readonly TrustPolicy[] = [];
  const at = (index: number): TrustPolicy => policies[index] ?? nobody;
  return {
    open: async (setting, { platforms, signal }) => {
      policies = await resolveTrust(setting, { platforms, signal });
      opened = platforms;
      return platforms.map((_, index) => ({
        get everyone() {
          return at(index).everyone;
        },
        get collaborators() {
          return at(index).collaborators;
        },
        isNamed: (account) => at(index).isNamed(account),
      }));
    },
    prepare: async (setting, { signal } = {}) => {
      const next = await resolveTrust(setting, { platforms: opened, signal });
      return () => {
        policies = next;
      };
    },
  };
}

const nobody: TrustPolicy = { everyone: false, collaborators: false, isNamed: () => false };

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
  setting: TrustSetting,
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
    `trust names ${names.map((name) => JSON.stringify(name)).join(', ')}, but there is no such account on ${hosts}. Write login names without "@". Logins of apps end in "[bot]".`,
  );
}
