import { createAuthorization } from '../http/authorization.ts';
import { createKnownLabels } from '../http/connection-memory.ts';
import { tellingTo } from '../http/connection-options.ts';
import { createPictureSource } from '../http/picture-download.ts';
import type { PictureSource } from '../picture-source.ts';
import type { Platform } from '../platform.ts';
import { PlatformError } from '../platform-error.ts';
import type { OpenThreadOptions, PlatformThread } from '../ports.ts';
import type { ReviewPorts } from '../review-ports.ts';
import type { GitHubTaskKey, TaskKey } from '../task-key.ts';
import { createGitHubAccounts, createGitHubIdentity, createGitHubPermissions } from './github-accounts.ts';
import { type AnswerMemory, withAnswerMemory } from './github-answer-memory.ts';
import { createGitHubChangeRequests } from './github-change-requests.ts';
import { createGitHubChecks } from './github-checks.ts';
import { createGitHubClient } from './github-client.ts';
import { createPolledSource, toVisibleConversation } from './github-comment-source.ts';
import { createGitHubOwnComments, createGitHubReactions } from './github-comment-writer.ts';
import type { GitHubThreadContext } from './github-context.ts';
import { isInMergeQueue } from './github-graph.ts';
import { createGitHubHistory, createGitHubLabelEvents } from './github-label-events.ts';
import { createGitHubAssignees, createGitHubLabels, createGitHubRepositoryLabels } from './github-labels.ts';
import { type GitHubPlatformOptions, type GitHubSettings, toGitHubSettings } from './github-options.ts';
import { createGitHubRepositories } from './github-repositories.ts';
import { createGitHubRepositoryReader } from './github-repository.ts';
import {
  conversationChanges,
  createGitHubRepositoryChanges,
  lineChanges,
} from './github-repository-changes.ts';
import { createGitHubRequestChanges } from './github-request-changes.ts';
import { createGitHubLines, createGitHubReviews } from './github-review-comments.ts';
import { createGitHubReviewThreads } from './github-review-threads.ts';
import { createGitHubTasks, createGitHubThreadFinder, createGitHubThreadReader } from './github-threads.ts';

/**
 * GitHub.com or GitHub Enterprise Server, behind the ports of this package. Makes no request until it is asked.
 *
 * @throws PlatformError `invalid` when an option cannot be right
 * @example
 * const platform = createGitHubPlatform({ token, repositories: ['octo/hello'] });
 * const { tasks } = await platform.tasks.listTasks({ label: 'coding agent', assignee: null, state: 'open' });
 */
export function createGitHubPlatform(options: GitHubPlatformOptions): Platform {
  const settings = toGitHubSettings(options);
  const client = createGitHubClient(settings);
  const identity = createGitHubIdentity(client, settings);
  const memory: AnswerMemory = new Map();
  const knownLabels = createKnownLabels();
  const toContext = (taskKey: TaskKey, { onRequest }: OpenThreadOptions): GitHubThreadContext => {
    const key = requireGitHubKey(taskKey);
    const repository = `${key.owner}/${key.repo}`;
    const threadClient = client.recordingTo(onRequest);
    return {
      client: threadClient,
      settings,
      identity: identity.askingWith(threadClient),
      repositories: withAnswerMemory(threadClient, { memory }),
      knownLabels,
      key,
      repository,
      name: `${repository}#${key.number}`,
      place: { owner: key.owner, repo: key.repo },
    };
  };
  return {
    name: 'github',
    host: settings.host,
    serverNow: settings.serverNow,
    tasks: createGitHubTasks(withAnswerMemory(client, { memory }), settings.repositories),
    identity: { whoAmI: identity.whoAmI },
    accounts: createGitHubAccounts(client),
    threads: createGitHubThreadFinder(client, settings.repositories),
    repositories: createGitHubRepositories(client, settings),
    repositoryLabels: createGitHubRepositoryLabels({ client, settings }),
    openThread: (key, opened = {}) => openGitHubThread(toContext(key, opened)),
    openChanges: (key, opened = {}) =>
      createGitHubRepositoryChanges(toContext(key, opened), conversationChanges),
    openReview: (key, opened = {}) => {
      const context = toContext(key, opened);
      return context.key.type === 'github_issue' ? null : openGitHubReview(context);
    },
    openLineChanges: (key, opened = {}) => createGitHubRepositoryChanges(toContext(key, opened), lineChanges),
    openRequestChanges: (key, opened = {}) => createGitHubRequestChanges(toContext(key, opened)),
    openPictures: (_key, opened = {}) => createGitHubPictures(tellingTo(settings, opened)),
  };
}

function openGitHubThread(context: GitHubThreadContext): PlatformThread {
  return {
    key: context.key,
    reader: createGitHubThreadReader(context),
    comments: createPolledSource(toVisibleConversation(context)),
    ...createGitHubOwnComments(context),
    reactions: createGitHubReactions(context),
    labels: createGitHubLabels(context),
    labelEvents: createGitHubLabelEvents(context),
    history: createGitHubHistory(context),
    assignees: createGitHubAssignees(context),
    permissions: createGitHubPermissions(context),
    repository: createGitHubRepositoryReader(context),
    changeRequests: createGitHubChangeRequests(context),
  };
}

function openGitHubReview(context: GitHubThreadContext): ReviewPorts {
  return {
    lines: createGitHubLines(context),
    reviews: createGitHubReviews(context),
    threads: createGitHubReviewThreads(context),
    checks: createGitHubChecks(context),
    isMergeQueued: ({ signal } = {}) => isInMergeQueue(context, { signal }),
  };
}

function requireGitHubKey(key: TaskKey): GitHubTaskKey {
  if (key.type === 'github_issue' || key.type === 'github_pull_request') return key;
  throw new PlatformError(`GitHub has no thread of type ${key.type}: its keys begin with github_.`, {
    code: 'invalid',
  });
}

/** Paths of what people drop into a text: today's, and that of some years ago. */
const uploads =
  /^\/(?:user-attachments\/assets|[\w.-]{1,100}\/[\w.-]{1,100}\/assets\/\d{1,20})\/[0-9a-f-]{36}$/;

/** Hosts of GitHub.com that have pictures without a token, and to which it redirects with a signature. */
const pictureHosts = new Set([
  'user-images.githubusercontent.com',
  'private-user-images.githubusercontent.com',
]);

const storageHost =
  /^(?:[a-z0-9-]{1,60}\.githubusercontent\.com|github-production-user-asset-[0-9a-z]{1,20}\.s3\.amazonaws\.com)$/;

/** Pictures in issues, pull requests and their comments. */
function createGitHubPictures(settings: GitHubSettings): PictureSource {
  const { baseUrl, fetch, timeoutMs, credential, onRequest } = settings;
  const isDotCom = new URL(baseUrl).origin === 'https://api.github.com';
  const web = isDotCom ? 'https://github.com' : new URL(baseUrl).origin;
  const isPlain = ({ protocol, hostname, port }: URL) =>
    isDotCom && protocol === 'https:' && port === '' && pictureHosts.has(hostname);
  const isUpload = (url: URL) => (url.origin === web && uploads.test(url.pathname)) || isPlain(url);
  return createPictureSource({
    service: 'GitHub',
    locate: (link) => {
      const url = URL.parse(link);
      return url !== null && url.username === '' && url.password === '' && isUpload(url) ? url.href : null;
    },
    isUpload,
    isCredited: ({ origin }) => origin === web,
    isOwnHost: (url) => {
      const { origin, protocol, hostname, port } = url;
      return (
        origin === web || (isDotCom && protocol === 'https:' && port === '' && storageHost.test(hostname))
      );
    },
    authorization: createAuthorization(credential, (token) => ['authorization', `Bearer ${token}`]),
    ...{ fetch, timeoutMs, onRequest },
  });
}
