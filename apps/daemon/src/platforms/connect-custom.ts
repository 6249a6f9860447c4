import { type CommentFeeds, createCommentFeeds, createLabelTrigger } from '@agent/orchestrator';
import type { Platform } from '@agent/platforms';
import { listMissingRoles, loadCustomPlatform, rememberReported } from '@agent/platforms/custom';
import { ConfigError } from '../config/config-error.ts';
import { type ConnectedPlatform, type ConnectOptions, hostName } from './platform-entry.ts';
import { toTaskLabels } from './section.ts';
import type { CustomPlatformConfig } from './table.ts';

/** Pace at which threads are polled. */
const pace = { shortestMs: 1_000, longestMs: 10_000, contentsPerHour: Number.POSITIVE_INFINITY };

/**
 * Connects to a platform whose adapter the configuration names. Its repositories may be directories of this machine;
 * git is given no token for it.
 *
 * @throws ConfigError, PlatformError when the module brings no platform, or it does not answer who we are
 */
export async function connectCustom(
  custom: { readonly name: string; readonly config: CustomPlatformConfig },
  options: ConnectOptions,
): Promise<ConnectedPlatform> {
  const { name, config } = custom;
  if (!/^[a-z0-9][a-z0-9_-]{0,49}$/.test(name)) {
    throw new ConfigError(
      `platforms.${name}: name it in lower case, with letters, digits, - and _ only, at most 50.`,
    );
  }
  const { environment, directory, logger, signal } = options;
  const { options: given, timeout_seconds: seconds } = config;
  const adapter = await loadCustomPlatform(config.module, {
    name,
    options: given,
    timeoutMs: seconds * 1_000,
    environment,
    directory,
    logger,
    signal,
  });
  const feeds = createCommentFeeds(pace, options);
  const platform = countThreadRequests(rememberReported(adapter), feeds);
  const missing = listMissingRoles(platform);
  const account = await platform.identity.whoAmI({ signal });
  logger.info({ platform: name, host: platform.host, account: account.login, without: missing }, 'connected');
  const workspaces = await options.openWorkspaces({
    token: null,
    localRepositories: true,
    authorName: account.login,
    authorEmail: `${account.login.replace(/[^\w.+-]+/g, '-')}@${hostName(platform.host)}`,
  });
  return {
    platform,
    workspaces,
    confidentialIssues: 'refuse',
    trigger: createLabelTrigger(platform, toTaskLabels(config)),
    openSource: feeds.openOn(platform),
    runWaitMs: feeds.runWaitMs,
    botName: null,
  };
}

/** An adapter tells of the requests of its threads, where it tells of any. */
function countThreadRequests(platform: Platform, { onRequest }: Pick<CommentFeeds, 'onRequest'>): Platform {
  return {
    ...platform,
    openThread: (key, options = {}) =>
      platform.openThread(key, {
        onRequest: (record) => {
          onRequest(record);
          options.onRequest?.(record);
        },
      }),
  };
}
