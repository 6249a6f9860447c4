import {
  type GitHubSimulator,
  type SimulatedHappening,
  type SimulatedThread,
  startGitHubSimulator,
} from '@agent/simulators/github';
import { type Forge, type ForgeOptions, type ForgeThread, repository } from './forge.ts';
import { readWithGit } from './forge-git.ts';
import { isNoStatusComment, isStatusComment } from './status-comments.ts';

export const gitHubToken = 'ghp_ThisIsTheTokenOfTheRobotInTests0001';

/** A hundred times the documented ones, for daemons whose waits are a hundred times shorter. */
const secondaryLimits = { pointsPerMinute: 90_000, contentPerMinute: 8_000, contentPerHour: 50_000 };

const listPath = /\/issues\?/;

export interface GitHubForge extends Forge {
  readonly simulator: GitHubSimulator;
}

/** A GitHub with one repository, a robot and two people. */
export async function startGitHubForge(options: ForgeOptions): Promise<GitHubForge> {
  const { files, robotMayPush = true, onRequest = () => {}, now = Date.now } = options;
  const simulator = await startGitHubSimulator({
    now,
    secondaryLimits,
    onRequest: ({ method, path }) => onRequest(`${method} ${path}`),
  });
  for (const login of ['acme', 'alice', 'bob', 'robot']) simulator.addUser({ login });
  const permissions = { contents: robotMayPush ? 'write' : 'read' } as const;
  simulator.addToken({ token: gitHubToken, login: 'robot', permissions });
  const collaborators = { robot: 'write', alice: 'write' } as const;
  await simulator.addRepository({ owner: 'acme', name: 'shop', files, collaborators });
  const thread = (reference: string): ForgeThread => view(simulator.thread(repository, numberOf(reference)));
  const threads = (): ForgeThread[] => simulator.threads(repository).map(view);
  const repositoryAt: Forge['repositoryAt'] = (path) => ({
    openIssue: (seed) => view(simulator.openIssue({ repo: path, author: 'alice', ...seed })),
    thread: (reference) => view(simulator.thread(path, numberOf(reference))),
  });
  return {
    simulator,
    name: 'github',
    changeRequestWords: { en: 'pull request', ja: 'プルリクエスト' },
    url: simulator.url,
    environment: { GITHUB_TOKEN: gitHubToken },
    config: { base_url: simulator.url, repositories: [repository], write_spacing_ms: 0 },
    taskKeyOf: (number) => ({ type: 'github_issue', owner: 'acme', repo: 'shop', number }),
    openIssue: (seed) => view(simulator.openIssue({ repo: repository, author: 'alice', ...seed })),
    addRepository: async (path) => {
      const [owner = '', name = ''] = path.split('/');
      await simulator.addRepository({ owner, name, files, collaborators });
      return repositoryAt(path);
    },
    repositoryAt,
    openChangeRequest: async (seed) =>
      view(await simulator.openPullRequest({ repo: repository, author: 'alice', ...seed })),
    openFromFork: async (seed) => {
      const headRepository = 'bob/shop';
      await simulator.addRepository({ owner: 'bob', name: 'shop', forkOf: repository, private: true });
      const opening = { repo: repository, author: 'bob', headRepository, ...seed };
      return view(await simulator.openPullRequest(opening));
    },
    comment: (reference, comment) =>
      String(simulator.comment({ repo: repository, number: numberOf(reference), ...comment }).id),
    editComment: (id, body) => simulator.editComment(repository, Number(id), body),
    deleteComment: (id) => simulator.deleteComment(repository, Number(id)),
    approveComment: async (_reference, id, login) => {
      const token = `ghp_ThisIsATokenOf${login}`;
      simulator.addToken({ token, login });
      await fetch(`${simulator.url}/repos/${repository}/issues/comments/${id}/reactions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ content: '+1' }),
      });
    },
    upload: (content) => simulator.upload({ repo: repository, content }),
    uploadsRead: () => simulator.requests.filter(({ path }) => path.includes('/user-attachments/')).length,
    deleteUser: (login) => simulator.deleteUser(login, { as: 'null' }),
    thread,
    threads,
    changeRequests: () => threads().filter(({ changeRequest }) => changeRequest !== null),
    addLabels: (reference, labels, by) =>
      simulator.addLabels(repository, numberOf(reference), labels, by === undefined ? {} : { by }),
    removeLabel: (reference, label) => simulator.removeLabel(repository, numberOf(reference), label),
    editThread: (reference, change) => simulator.editThread(repository, numberOf(reference), change),
    assign: (reference, login, by) => {
      simulator.unassign(repository, numberOf(reference), thread(reference).assignees);
      if (login !== undefined)
        simulator.assign(repository, numberOf(reference), [login], by === undefined ? {} : { by });
    },
    reviewLine: async (reference, comment) =>
      void (await simulator.reviews.comment({ repo: repository, number: numberOf(reference), ...comment })),
    reviewThreads: (reference) =>
      simulator.reviews.threads(repository, numberOf(reference)).map(({ comments }) => comments),
    close: (reference) => simulator.closeThread(repository, numberOf(reference)),
    reviewersOf: (reference) => simulator.reviews.requested(repository, numberOf(reference)),
    removeReviewer: (reference, login) => simulator.reviews.unrequest(repository, numberOf(reference), login),
    reopen: (reference, by) => simulator.reopenThread(repository, numberOf(reference), { by }),
    merge: (reference) => simulator.closeThread(repository, numberOf(reference), { merged: true }),
    deleteThread: (reference) => simulator.deleteThread(repository, numberOf(reference)),
    refuseToRead: (reference) => {
      const path = new RegExp(`/issues/${numberOf(reference)}$`);
      simulator.fail({ method: 'GET', path, kind: 'unauthorized' });
    },
    failReactions: (kind) =>
      simulator.fail({ method: 'POST', path: '/reactions', kind, times: 1_000, delayMs: 60_000 }),
    reactionCount: () =>
      simulator.requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/reactions'))
        .length,
    pollCount: () => simulator.requests.filter(({ path }) => listPath.test(path)).length,
    refuseToList: () => simulator.fail({ method: 'GET', path: listPath, kind: 'unauthorized', times: 1_000 }),
    addWeakToken: () => {
      const token = 'ghp_readonlyreadonlyreadonly';
      simulator.addToken({ token, login: 'robot', permissions: { issues: 'read' } });
      return { GITHUB_TOKEN: token };
    },
    protectBranch: (branch) => simulator.protectBranch(repository, branch),
    composeDelivery: (news, secret) => {
      const about =
        'commentId' in news
          ? { event: 'issue_comment', action: news.change, commentId: Number(news.commentId) }
          : {
              event: 'issues',
              number: numberOf(news.reference),
              ...('label' in news ? { action: 'labeled', label: news.label } : { action: 'closed' }),
            };
      return simulator.composeDelivery({ repo: repository, ...about } as SimulatedHappening, secret);
    },
    ...readWithGit(simulator.gitDirectory(repository)),
    shutDown: simulator.close,
  };
}

function numberOf(reference: string): number {
  return Number(reference.slice(1));
}

function view({ pullRequest, ...thread }: SimulatedThread): ForgeThread {
  const comments = thread.comments.map(({ reactions, ...comment }) => ({
    ...comment,
    reactions: reactions.map(({ author, content }) => `${author}: ${content}`),
  }));
  return {
    ...thread,
    reference: `#${thread.number}`,
    body: thread.body ?? '',
    comments: comments.filter(isNoStatusComment),
    statusComments: comments.filter(isStatusComment),
    labels: [...thread.labels].sort(),
    changeRequest: pullRequest,
  };
}
