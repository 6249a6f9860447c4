import { createJoinedQuestions, createKnownLabels } from '../http/connection-memory.ts';
import { tellingTo } from '../http/connection-options.ts';
import type { Platform } from '../platform.ts';
import { PlatformError } from '../platform-error.ts';
import type { OpenThreadOptions, PlatformThread } from '../ports.ts';
import type { ReviewPorts } from '../review-ports.ts';
import type { TaskKey } from '../task-key.ts';
import { createGitLabIdentity, createGitLabPermissions, findUser } from './gitlab-accounts.ts';
import { toAccount } from './gitlab-answers.ts';
import { createGitLabChangeRequests } from './gitlab-change-requests.ts';
import { createGitLabChecks } from './gitlab-checks.ts';
import { createGitLabClient } from './gitlab-client.ts';
import { createGitLabCommentSource } from './gitlab-comment-source.ts';
import { createGitLabOwnComments, createGitLabReactions } from './gitlab-comment-writer.ts';
import type { GitLabTaskKey, GitLabThreadContext } from './gitlab-context.ts';
import { createGitLabGroupProjects } from './gitlab-group-projects.ts';
import { createGitLabHistory, createGitLabLabelEvents } from './gitlab-label-events.ts';
import { createGitLabAssignees, createGitLabLabels, createGitLabRepositoryLabels } from './gitlab-labels.ts';
import { type GitLabPlatformOptions, toGitLabSettings } from './gitlab-options.ts';
import { createGitLabPictures } from './gitlab-pictures.ts';
import { createGitLabProjects, locateThread } from './gitlab-projects.ts';
import { createGitLabRepositoryReader } from './gitlab-repository.ts';
import { createGitLabRepositoryChanges } from './gitlab-repository-changes.ts';
import { createGitLabReviewLines } from './gitlab-review-lines.ts';
import { createGitLabReviewThreads } from './gitlab-review-threads.ts';
import { createGitLabReviews } from './gitlab-reviews.ts';
import { createGitLabTasks, createGitLabThreadFinder, createGitLabThreadReader } from './gitlab-threads.ts';

/**
 * GitLab.com or a server of one's own, behind the ports of this package. Makes no request until it is asked.
 *
 * @throws PlatformError `invalid` when an option cannot be right
 * @example
 * const platform = createGitLabPlatform({ token, projects: ['group/project'], baseUrl: 'https://gitlab.example.com' });
 * const { login } = await platform.identity.whoAmI();
 */
export function createGitLabPlatform(options: GitLabPlatformOptions): Platform {
  const settings = toGitLabSettings(options);
  const client = createGitLabClient(settings);
  const identity = createGitLabIdentity(client, settings.botName);
  const projects = createGitLabProjects(client);
  const shared = { knownLabels: createKnownLabels(), questions: createJoinedQuestions() };
  const locate = (key: GitLabTaskKey, { onRequest }: OpenThreadOptions = {}): GitLabThreadContext => {
    const threadClient = client.recordingTo(onRequest);
    const place = locateThread(key, { projects, client: threadClient });
    return { settings, identity: identity.askingWith(threadClient), ...shared, ...place };
  };
  const openChanges = (taskKey: TaskKey, { onRequest }: OpenThreadOptions = {}) => {
    const key = requireGitLabKey(taskKey);
    const asker = client.recordingTo(onRequest);
    const { projectId, project } = locateThread(key, { projects, client: asker });
    return createGitLabRepositoryChanges({ client: asker, projectId, project }, settings);
  };
  return {
    name: 'gitlab',
    host: settings.host,
    serverNow: settings.serverNow,
    tasks: createGitLabTasks(client, { projects, paths: settings.projects }),
    identity: { whoAmI: identity.whoAmI },
    accounts: {
      findAccount: async (login, options) => toAccount(await findUser(client, { login, ...options })),
    },
    threads: createGitLabThreadFinder(projects, settings),
    repositories: createGitLabGroupProjects(client, { projects }),
    repositoryLabels: createGitLabRepositoryLabels({ client, settings }, { projects }),
    openThread: (key, options) => openGitLabThread(locate(requireGitLabKey(key), options)),
    openReview: (taskKey, options) => {
      const key = requireGitLabKey(taskKey);
      return key.type === 'gitlab_issue' ? null : openGitLabReview(locate(key, options));
    },
    openChanges,
    openRequestChanges: openChanges,
    openPictures: (key, opened = {}) =>
      createGitLabPictures(tellingTo(settings, opened), {
        projectId: Number(requireGitLabKey(key).projectId),
      }),
  };
}

function openGitLabThread(context: GitLabThreadContext): PlatformThread {
  return {
    key: context.key,
    reader: createGitLabThreadReader(context),
    comments: createGitLabCommentSource(context),
    ...createGitLabOwnComments(context),
    reactions: createGitLabReactions(context),
    labels: createGitLabLabels(context),
    labelEvents: createGitLabLabelEvents(context),
    history: createGitLabHistory(context),
    assignees: createGitLabAssignees(context),
    permissions: createGitLabPermissions(context),
    repository: createGitLabRepositoryReader(context),
    changeRequests: createGitLabChangeRequests(context),
  };
}

function openGitLabReview(context: GitLabThreadContext): ReviewPorts {
  return {
    lines: createGitLabReviewLines(context),
    reviews: createGitLabReviews(context),
    threads: createGitLabReviewThreads(context),
    checks: createGitLabChecks(context),
  };
}

function requireGitLabKey(key: TaskKey): GitLabTaskKey {
  if (key.type !== 'gitlab_issue' && key.type !== 'gitlab_merge_request') {
    throw new PlatformError(`GitLab has no thread of type ${key.type}: its keys begin with gitlab_.`, {
      code: 'invalid',
    });
  }
  if (/^[1-9]\d{0,14}$/u.test(key.projectId)) return key;
  throw new PlatformError(
    `${JSON.stringify(key.projectId)} is not the id of a project: keys have its number, because paths change.`,
    { code: 'invalid' },
  );
}
