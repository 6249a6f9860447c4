import { resolve } from 'node:path';
import { type ConfiguredPlatform, withOutgoingGate } from '@agent/orchestrator';
import { ConfigError } from '../config/config-error.ts';
import { openOutgoingGate } from '../open-outgoing-gate.ts';
import { connectCustom } from './connect-custom.ts';
import { connectGitHub } from './connect-github.ts';
import { connectGitLab } from './connect-gitlab.ts';
import type { ConnectedPlatform, ConnectOptions } from './connect-options.ts';
import { resolveTrust } from './resolve-trust.ts';

/**
 * Connects to every platform that is configured, one after the other, so that the first mistake is the one that is said.
 *
 * @throws ConfigError when two of them have one host: a run could not be told to belong to either; or when `trust` names an
 *   account that is not there
 */
export async function connectPlatforms(given: ConnectOptions): Promise<readonly ConfiguredPlatform[]> {
  const { config, directory } = given.loaded;
  const { github, gitlab, custom } = config.platforms;
  const { createDirectoryPreparer } = await import('@agent/workspace');
  const workspaces = resolve(directory, config.workspaces.base_dir);
  const options = { ...given, prepareWorkspaces: createDirectoryPreparer(workspaces) };
  const connected: ConnectedPlatform[] = [];
  if (github !== null) connected.push(await connectGitHub(github, options));
  if (gitlab !== null) connected.push(await connectGitLab(gitlab, options));
  for (const [name, config] of Object.entries(custom)) {
    connected.push(await connectCustom({ name, config }, options));
  }
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
