import type { OpenedCredential } from '@agent/platforms/credentials';
import { createCommentFeeds } from '../connection/connect-platforms.ts';
import { type GitHubConfig, tokenRights } from './github-config.ts';
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
import { toBudgetOptions, toRequestBudgets } from './request-budgets.ts';

/** Pace at which repositories are polled: the shortest interval is that of the manager's own polls (seed 001 §8.3), because a poll without changes is free. */
const pace = { shortestMs: 1_000, longestMs: 10_000 };

/** Opens the credential of a section. @throws ConfigError where a variable is not set */
export function openGitHubCredential(
  section: GitHubConfig,
  surroundings: CredentialSurroundings,
): Promise<OpenedCredential> {
  const purpose = `the GitHub token (${tokenRights})`;
  const place = pickPlace(section.repositories);
  return openSectionCredential(section, { ...surroundings, place, purpose });
}

/**
 * Connects to GitHub and finds out who we are, so that a wrong token is said at once and not at the first task.
 *
 * @throws ConfigError without a token; PlatformError when GitHub does not take it or cannot be reached
 */
export async function connectGitHub(
  github: GitHubConfig,
  options: ConnectOptions,
): Promise<ConnectedPlatform> {
  const { environment, now = Date.now, monotonicNow = () => performance.now(), locale } = options;
  const { listPlaces = () => listNames(github.repositories) } = options;
  const { credential, name } = await openGitHubCredential(github, options);
  const { createGitHubPlatform, findGitHubRouteClass } = await import('@agent/platforms/github');
  const botName = github.username ?? github.bot_name ?? environment.GITHUB_BOT_NAME;
  const budgets = toBudgetOptions(toRequestBudgets(github.request_budgets, github.base_url));
  const feeds = createCommentFeeds({ ...pace, ...budgets, now }, { ...options, credential: name });
  const platform = createGitHubPlatform({
    token: credential,
    baseUrl: github.base_url,
    repositories: listPlaces,
    timeoutMs: github.timeout_seconds * 1_000,
    writeSpacingMs: github.write_spacing_ms,
    logger: options.logger,
    now,
    monotonicNow,
    onRequest: feeds.onRequest,
    answers: feeds.answers,
    fetch: openFetch({ platform: 'github', toRouteClass: findGitHubRouteClass }, options),
    ...(botName ? { botName } : {}),
    // For the note in a text that the platform would refuse as too long; a run fits its own texts in the thread's language.
    ...(locale === null ? {} : { locale }),
  });
  const account = await platform.identity.whoAmI({ signal: options.signal });
  options.logger.info(
    { host: platform.host, account: account.login, repositories: github.repositories },
    'connected to platform',
  );
  const workspaces = await options.openWorkspaces({
    host: platform.host,
    token: ({ cloneUrl, ...asked } = {}) =>
      credential.token({ ...asked, repository: toRepository(cloneUrl) }).then(({ value }) => value),
    username: 'x-access-token',
    authorName: account.login,
    // GitHub links commits to an account by this address:
    // https://docs.github.com/en/account-and-profile/reference/email-addresses-reference
    authorEmail: `${account.id}+${account.login}@users.noreply.${hostName(platform.host)}`,
  });
  return {
    platform,
    workspaces,
    confidentialIssues: 'refuse',
    trigger: toTrigger(platform, github, { places: listPlaces, mentions: options.mentions }),
    openSource: feeds.openOn(platform),
    runHolds: feeds.runHolds,
    requestsLeft: feeds.requestsLeft,
    contentsLeft: feeds.contentsLeft,
    botName: botName || null,
  };
}

/** Reads `owner/repo` from the address that git clones; undefined for any other address. */
function toRepository(cloneUrl: string | undefined): string | undefined {
  if (cloneUrl === undefined || !URL.canParse(cloneUrl)) return undefined;
  return /^\/([^/]+\/[^/]+?)(?:\.git)?\/?$/.exec(new URL(cloneUrl).pathname)?.[1];
}
