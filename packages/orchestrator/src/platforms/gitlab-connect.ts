import type { OpenedCredential } from '@agent/platforms/credentials';
import { createCommentFeeds } from '../connection/connect-platforms.ts';
import { type GitLabConfig, tokenRights } from './gitlab-config.ts';
import { listNames, pickPlace } from './place-settings.ts';
import {
  type ConnectedPlatform,
  type ConnectOptions,
  type CredentialSurroundings,
  hostName,
  openFetch,
  openSectionCredential,
  toTrigger,
} from './platform-entry.ts';
import { toRequestBudgets } from './request-budgets.ts';

/** Pace at which projects are polled: each poll is two requests of GitLab's 300 a minute. */
const pace = {
  shortestMs: 2_000,
  longestMs: 20_000,
  pointsPerMinute: 300,
  pointsPerWrite: 1,
  requestsPerPoll: 2,
  // Its client makes no more requests than a minute takes, so that a run has to find room for its first ones.
  pointsPerStart: 10,
};

/** Opens the credential of a section. @throws ConfigError where a variable is not set */
export function openGitLabCredential(
  section: GitLabConfig,
  surroundings: CredentialSurroundings,
): Promise<OpenedCredential> {
  const purpose = `the GitLab token (${tokenRights})`;
  const place = pickPlace(section.projects);
  return openSectionCredential(section, { ...surroundings, place, purpose });
}

/**
 * Connects to GitLab and finds out who we are, so that a wrong token is said at once and not at the first task.
 *
 * @throws ConfigError without a token; PlatformError when GitLab does not take it or cannot be reached
 */
export async function connectGitLab(
  gitlab: GitLabConfig,
  options: ConnectOptions,
): Promise<ConnectedPlatform> {
  const {
    environment,
    now = Date.now,
    monotonicNow = () => performance.now(),
    locale,
    logger,
    listPlaces = () => listNames(gitlab.projects),
  } = options;
  const { credential, name } = await openGitLabCredential(gitlab, options);
  const { createGitLabPlatform, findGitLabRouteClass } = await import('@agent/platforms/gitlab');
  const botName = gitlab.username ?? gitlab.bot_name ?? environment.GITLAB_BOT_NAME;
  const { primary, contentsPerHour } = toRequestBudgets(gitlab.request_budgets, gitlab.base_url);
  const budgets = { primary, contentsPerHour: contentsPerHour ?? Number.POSITIVE_INFINITY };
  const feeds = createCommentFeeds({ ...pace, ...budgets, now }, { ...options, credential: name });
  const platform = createGitLabPlatform({
    token: credential,
    baseUrl: gitlab.base_url,
    projects: listPlaces,
    timeoutMs: gitlab.timeout_seconds * 1_000,
    writeSpacingMs: gitlab.write_spacing_ms,
    logger,
    now,
    monotonicNow,
    onRequest: feeds.onRequest,
    fetch: openFetch({ platform: 'gitlab', toRouteClass: findGitLabRouteClass }, options),
    ...(botName ? { botName } : {}),
    // For the note in a text that the platform would refuse as too long; a run fits its own texts in the thread's language.
    ...(locale === null ? {} : { locale }),
  });
  const account = await platform.identity.whoAmI({ signal: options.signal });
  logger.info(
    { host: platform.host, account: account.login, projects: gitlab.projects },
    'connected to platform',
  );
  const workspaces = await options.openWorkspaces({
    host: platform.host,
    token: (asked) => credential.token(asked).then(({ value }) => value),
    username: 'oauth2',
    authorName: account.login,
    // https://docs.gitlab.com/user/profile/#use-an-automatically-generated-private-commit-email
    authorEmail: `${account.id}-${account.login}@users.noreply.${hostName(platform.host)}`,
  });
  return {
    platform,
    workspaces,
    trigger: toTrigger(platform, gitlab, { places: listPlaces, mentions: options.mentions }),
    confidentialIssues: gitlab.confidential_issues,
    openSource: feeds.openOn(platform),
    runHolds: feeds.runHolds,
    requestsLeft: feeds.requestsLeft,
    contentsLeft: feeds.contentsLeft,
    botName: botName || null,
  };
}
