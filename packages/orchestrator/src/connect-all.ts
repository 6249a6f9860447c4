import { resolve } from 'node:path';
import type { Platform } from '@agent/platforms';
import { createOutgoingGate, listPlaces, type OutgoingGate } from '@agent/text/outgoing';
import { createCommentFeeds } from './comment-feeds.ts';
import type { Environment, RunDirectories, RunLogger } from './ports.ts';

import type { ConfiguredPlatform } from './run/run-thread.ts';
import { withOutgoingGate } from './run/with-outgoing-gate.ts';
import type { ConnectPlatforms } from './run-work.ts';
import { createAssignmentTrigger } from './triggers/assignment-trigger.ts';

export interface ConnectAllOptions {
  readonly directories: RunDirectories;
  readonly secrets: readonly string[];
  readonly environment: Environment;
  readonly logger: RunLogger;
}

/** A platform, and what is otherwise there than by default. */
export interface PlatformSetup
  extends Pick<ConfiguredPlatform, 'platform'>,
    Partial<Omit<ConfiguredPlatform, 'platform'>> {
  /** For git over HTTP, asked before each command; null for none. Default none. Name it among the secrets, too. */
  readonly gitToken?: (() => string | null) | undefined;
}

/** Gives platforms what tasks need there: by default the trigger of assignment, and worktrees without a token. */
export function connectAll(
  platforms: readonly (Platform | PlatformSetup)[],
  { directories, secrets, environment, logger }: ConnectAllOptions,
): ConnectPlatforms {
  return async ({ doorbell, signal }) => {
    const { createGitWorkspaces } = await import('@agent/workspace');
    const gate = openGate(directories, secrets);
    const configure = async ({
      platform,
      gitToken = () => null,
      ...given
    }: PlatformSetup): Promise<ConfiguredPlatform> => {
      const account = await platform.identity.whoAmI({ signal });
      const feeds = createCommentFeeds({}, { doorbell });
      return {
        platform: withOutgoingGate(platform, gate),
        trigger: createAssignmentTrigger(platform),
        confidentialIssues: 'refuse',
        workspaces: createGitWorkspaces({
          directory: directories.workspaces,
          token: gitToken,
          localRepositories: true,
          gate,
          authorName: account.login,
          authorEmail: `${account.login.replace(/[^\w.+-]+/g, '-')}@${platform.host.replace(/:\d+$/, '')}`,
          logger,
          environment,
        }),
        openSource: feeds.openOn(platform),
        runWaitMs: feeds.runWaitMs,
        botName: null,
        trust: { everyone: false, collaborators: true, isNamed: () => false },
        ...given,
      };
    };
    return Promise.all(platforms.map((one) => configure('platform' in one ? one : { platform: one })));
  };
}

/** Keeps secrets and the paths of this machine out of what is written on threads and pushed. */
function openGate(
  { contexts, paused, workspaces }: RunDirectories,
  secrets: readonly string[],
): OutgoingGate {
  const directories = {
    [resolve('.')]: 'the directory of the program',
    [contexts]: 'the directory of runs',
    [paused]: 'the directory of paused runs',
    [workspaces]: 'the directory of workspaces',
  };
  const places = listPlaces({ directories, endpoints: [], publicHosts: [] });
  return createOutgoingGate({ secrets, places, allow: { paths: [], fingerprints: [] } });
}
