import { resolve } from 'node:path';
import { type ConfiguredPlatform, withOutgoingGate } from '@agent/orchestrator';
import { ConfigError } from '../config/config-error.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import type { DaemonLogger } from '../log/logger.ts';
import { openOutgoingGate } from '../open-outgoing-gate.ts';
import { connectCustom } from './connect-custom.ts';
import type { ConnectedPlatform, ConnectOptions } from './connect-options.ts';
import { resolveTrust } from './resolve-trust.ts';
import { listNamedPlatforms } from './table.ts';

/** Configuration and surroundings that all platforms are connected with. */
export interface ConnectPlatformsOptions
  extends Pick<ConnectOptions, 'logger' | 'observe' | 'signal' | 'doorbell'> {
  readonly loaded: LoadedConfig;
}

/** Picks from the configuration what connecting reads. */
export function toConnectOptions({ loaded, ...given }: ConnectPlatformsOptions): ConnectOptions {
  const { config, environment, directory } = loaded;
  const locale = config.locale === 'auto' ? null : config.locale;
  return { ...given, environment, directory, locale, openWorkspaces: createWorkspaceOpener(loaded, given) };
}

/**
 * Connects to every platform that is configured, one after the other, so that the first mistake is the one that is said.
 *
 * @throws ConfigError when two of them have one host: a run could not be told to belong to either; or when `trust` names an
 *   account that is not there
 */
export async function connectPlatforms(
  given: ConnectPlatformsOptions,
): Promise<readonly ConfiguredPlatform[]> {
  const { platforms: sections } = given.loaded.config;
  const options = toConnectOptions(given);
  const connected: ConnectedPlatform[] = [];
  for (const { section, entry } of listNamedPlatforms(sections))
    connected.push(await entry.connect(section, options));
  for (const [name, config] of Object.entries(sections.custom))
    connected.push(await connectCustom({ name, config }, options));
  requireOwnHosts(connected);
  const gate = openOutgoingGate(given.loaded);
  const platforms = connected.map(({ platform }) => platform);
  const policies = await resolveTrust(given.loaded.config.trust, { platforms, signal: given.signal });
  return connected.flatMap((one, index) => {
    const trust = policies[index];
    const platform = withOutgoingGate(one.platform, gate);
    return trust === undefined ? [] : [{ ...one, platform, trust }];
  });
}

function requireOwnHosts(connected: readonly ConnectedPlatform[]): void {
  const names = new Map<string, string>();
  for (const { platform } of connected) {
    const other = names.get(platform.host);
    if (other !== undefined) {
      throw new ConfigError(
        `platforms.${other} and platforms.${platform.name} both say that their host is ${platform.host}: give each its own.`,
      );
    }
    names.set(platform.host, platform.name);
  }
}

/** Opens worktrees of repositories, on all platforms in one directory; the configured author wins over the account's own name. */
function createWorkspaceOpener(
  loaded: LoadedConfig,
  { logger }: { readonly logger: DaemonLogger },
): ConnectOptions['openWorkspaces'] {
  const { author_name: name, author_email: email, base_dir: base } = loaded.config.workspaces;
  const directory = resolve(loaded.directory, base);
  let prepare: (() => Promise<string>) | undefined;
  return async (access) => {
    const { createDirectoryPreparer, createGitWorkspaces } = await import('@agent/workspace');
    prepare ??= createDirectoryPreparer(directory);
    return createGitWorkspaces({
      directory,
      prepare,
      token: () => access.token,
      localRepositories: access.localRepositories,
      gate: openOutgoingGate(loaded),
      username: access.username,
      authorName: name ?? access.authorName,
      authorEmail: email ?? access.authorEmail,
      logger,
      environment: loaded.environment,
    });
  };
}
