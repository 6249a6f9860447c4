import {
  listMissingRoles,
  loadCustomPlatform,
  type OptionalRole,
  rememberReported,
} from '@agent/platforms/custom';
import { ConfigError } from '../config/config-error.ts';
import { countThreadRequests, createCommentFeeds, toGitToken } from '../connection/connect-platforms.ts';
import { type ConnectedPlatform, type ConnectOptions, hostName, toTrigger } from './platform-entry.ts';
import type { CustomPlatformConfig } from './table.ts';

/** Pace at which threads are polled. */
const pace = { shortestMs: 1_000, longestMs: 10_000, contentsPerHour: Number.POSITIVE_INFINITY };

/** Roles that a trigger cannot do without, and what it needs them for. */
const needed: Record<CustomPlatformConfig['trigger'], Partial<Record<OptionalRole, string>>> = {
  label: {},
  assignment: { assignees: 'without it, a finished task would start again and again' },
  mention: { history: 'without it, edits by untrusted users would count as part of the task' },
};

/**
 * Connects to a platform whose adapter the configuration names. Its repositories may be directories of this machine.
 *
 * @throws ConfigError when its trigger needs a role that the adapter lacks; PlatformError when the module brings no platform, or it does not answer who we are
 */
export async function connectCustom(
  custom: { readonly name: string; readonly config: CustomPlatformConfig },
  options: ConnectOptions,
): Promise<ConnectedPlatform> {
  const { name, config } = custom;
  if (!/^[a-z0-9][a-z0-9_-]{0,49}$/.test(name)) {
    throw new ConfigError(
      `platforms.${name}: use a name of lowercase letters, digits, - and _, at most 50 characters.`,
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
  const feeds = createCommentFeeds(pace, { ...options, credential: [name] });
  // Elsewhere the trigger itself says what is done.
  const remembering = config.trigger === 'label' ? rememberReported(adapter) : adapter;
  const platform = countThreadRequests(remembering, feeds);
  const missing = listMissingRoles(platform);
  requireRoles(custom, missing ?? []);
  const account = await platform.identity.whoAmI({ signal });
  logger.info(
    { platform: name, host: platform.host, account: account.login, without: missing },
    'connected to platform',
  );
  const workspaces = await options.openWorkspaces({
    host: platform.host,
    token: toGitToken(platform, options.onToken),
    localRepositories: true,
    authorName: account.login,
    authorEmail: `${account.login.replace(/[^\w.+-]+/g, '-')}@${hostName(platform.host)}`,
  });
  return {
    platform,
    workspaces,
    confidentialIssues: 'refuse',
    trigger: toTrigger(platform, config, { places: () => [name], mentions: options.mentions }),
    openSource: feeds.openOn(platform),
    runHolds: feeds.runHolds,
    requestsLeft: feeds.requestsLeft,
    contentsLeft: feeds.contentsLeft,
    botName: null,
  };
}

/** Threads that cannot be opened without a task are not known to lack anything: their trigger says so when it meets one. */
function requireRoles(
  { name, config }: { readonly name: string; readonly config: CustomPlatformConfig },
  missing: readonly OptionalRole[],
): void {
  const { trigger, module } = config;
  const role = missing.find((one) => one in needed[trigger]);
  if (role === undefined) return;
  throw new ConfigError(
    `platforms.${name}.trigger: ${trigger} needs the role ${role}, which the adapter ${module} does not have: ${needed[trigger][role]}. Add the role to the adapter, or set trigger: label.`,
  );
}
