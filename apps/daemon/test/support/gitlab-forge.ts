import {
  type GitLabSimulator,
  type SimulatedGitLabHappening,
  type SimulatedGitLabThread,
  type SimulatedReference,
  startGitLabSimulator,
} from '@agent/simulators/gitlab';
import { type Forge, type ForgeOptions, type ForgeThread, repository } from './forge.ts';
import { readWithGit } from './forge-git.ts';
import { isNoStatusComment, isStatusComment } from './status-comments.ts';

export const gitLabToken = 'glpat-ThisIsTheRobotsTokenInTests01';

const listPath = /\/(issues|merge_requests)\?/;

export interface GitLabForge extends Forge {
  readonly simulator: GitLabSimulator;
}

/** A GitLab with one project, a robot who is a developer there, and two people. */
export async function startGitLabForge(options: ForgeOptions): Promise<GitLabForge> {
  const { files, robotMayPush = true, onRequest = () => {}, now = Date.now } = options;
  const simulator = await startGitLabSimulator({
    now,
    onRequest: ({ method, path }) => onRequest(`${method} ${path}`),
  });
  for (const username of ['alice', 'bob', 'robot']) simulator.addUser({ username });
  simulator.addToken({ token: gitLabToken, username: 'robot' });
  const members = {
    robot: robotMayPush ? 'developer' : 'reporter',
    alice: 'maintainer',
    bob: 'reporter',
  } as const;
  const projectId = await simulator.addProject({ path: repository, files, members });
  const project = repository;
  const by = { project, author: 'alice' };
  const threads = (): ForgeThread[] => simulator.threads(project).map(view);
  const repositoryAt: Forge['repositoryAt'] = (path) => ({
    openIssue: ({ body: description, ...seed }) =>
      view(simulator.openIssue({ project: path, author: 'alice', ...seed, description })),
    thread: (reference) => view(simulator.thread(path, parse(reference))),
  });
  return {
    simulator,
    name: 'gitlab',
    changeRequestWords: { en: 'merge request', ja: 'マージリクエスト' },
    url: simulator.url,
    environment: { GITLAB_TOKEN: gitLabToken },
    config: { base_url: simulator.url, projects: [project], write_spacing_ms: 0 },
    taskKeyOf: (issueIid) => ({ type: 'gitlab_issue', project_id: String(projectId), issue_iid: issueIid }),
    openIssue: ({ body: description, ...seed }) => view(simulator.openIssue({ ...by, ...seed, description })),
    addRepository: async (path) => {
      await simulator.addProject({ path, files, members });
      return repositoryAt(path);
    },
    repositoryAt,
    openChangeRequest: async ({ body: description, headBranch, baseBranch = 'main', ...seed }) => {
      const branches = { sourceBranch: headBranch, targetBranch: baseBranch };
      return view(await simulator.openMergeRequest({ ...by, ...seed, ...branches, description }));
    },
    openFromFork: async ({ body: description, headBranch: sourceBranch, ...seed }) => {
      const sourceProject = 'bob/shop';
      await simulator.addProject({ path: sourceProject, forkOf: project });
      const opening = { project, author: 'bob', sourceProject, sourceBranch, description };
      return view(await simulator.openMergeRequest({ ...opening, ...seed }));
    },
    comment: (reference, comment) =>
      String(simulator.note({ project, reference: parse(reference), ...comment }).id),
    editComment: (id, body) => simulator.editNote(project, Number(id), body),
    deleteComment: (id) => simulator.deleteNote(project, Number(id)),
    approveComment: async (reference, id, login) => {
      const token = `glpat-ThisIsATokenOf${login}`;
      simulator.addToken({ token, username: login });
      const address = `/api/v4/projects/${projectId}/issues/${reference.slice(1)}/notes/${id}/award_emoji`;
      await fetch(`${simulator.url}${address}?name=thumbsup`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
      });
    },
    upload: (content) => simulator.upload({ project, filename: 'picture.png', content }),
    uploadsRead: () => simulator.requests.filter(({ path }) => path.includes('/uploads/')).length,
    deleteUser: simulator.deleteUser,
    thread: (reference) => view(simulator.thread(project, parse(reference))),
    threads,
    changeRequests: () => threads().filter(({ changeRequest }) => changeRequest !== null),
    addLabels: (reference, labels, doer) =>
      simulator.addLabels(project, parse(reference), labels, doer === undefined ? {} : { by: doer }),
    removeLabel: (reference, label) => simulator.removeLabel(project, parse(reference), label),
    editThread: (reference, { body, ...change }) =>
      simulator.editThread(project, parse(reference), {
        ...change,
        ...(body === undefined ? {} : { description: body }),
      }),
    assign: (reference, login, by) =>
      simulator.assign(
        project,
        parse(reference),
        login === undefined ? [] : [login],
        by === undefined ? {} : { by },
      ),
    reviewLine: async (reference, comment) =>
      void (await simulator.reviews.comment({ project, reference: parse(reference), ...comment })),
    reviewThreads: (reference) =>
      simulator.reviews.threads(project, parse(reference)).map(({ notes }) => notes),
    close: (reference) => simulator.closeThread(project, parse(reference)),
    reviewersOf: (reference) => simulator.reviews.reviewers(project, parse(reference)),
    removeReviewer: (reference) => simulator.reviews.removeReviewers(project, parse(reference)),
    reopen: (reference, by) => simulator.reopenThread(project, parse(reference), { by }),
    merge: (reference) => simulator.closeThread(project, parse(reference), { merged: true }),
    deleteThread: (reference) => simulator.deleteThread(project, parse(reference)),
    refuseToRead: (reference) => {
      const list = reference.startsWith('!') ? 'merge_requests' : 'issues';
      const path = new RegExp(`/${list}/${reference.slice(1)}$`);
      simulator.fail({ method: 'GET', path, kind: 'unauthorized' });
    },
    failReactions: (kind) =>
      simulator.fail({ method: 'POST', path: '/award_emoji', kind, times: 1_000, delayMs: 60_000 }),
    reactionCount: () =>
      simulator.requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/award_emoji'))
        .length,
    pollCount: () => simulator.requests.filter(({ path }) => listPath.test(path)).length,
    refuseToList: () => simulator.fail({ method: 'GET', path: listPath, kind: 'unauthorized', times: 1_000 }),
    addWeakToken: () => {
      const token = 'glpat-readonlyreadonlyreadonly';
      simulator.addToken({ token, username: 'robot', scopes: ['read_api'] });
      return { GITLAB_TOKEN: token };
    },
    protectBranch: async (branch) => simulator.protectBranch(project, branch),
    composeDelivery: (news, token) => {
      const about =
        'commentId' in news
          ? {
              event: 'note',
              action: news.change === 'edited' ? 'update' : 'create',
              noteId: Number(news.commentId),
            }
          : {
              event: 'thread',
              reference: news.reference,
              ...('label' in news ? { action: 'update', added: [news.label] } : { action: 'close' }),
            };
      return simulator.composeDelivery({ project, ...about } as SimulatedGitLabHappening, token);
    },
    ...readWithGit(simulator.gitDirectory(project)),
    shutDown: simulator.close,
  };
}

function parse(reference: string): SimulatedReference {
  return reference as SimulatedReference;
}

function view(thread: SimulatedGitLabThread): ForgeThread {
  const { iid, description, state, notes, mergeRequest, ...rest } = thread;
  const comments = notes
    .filter(({ system }) => !system)
    .map(({ awards, ...note }) => ({
      ...note,
      reactions: awards.map(({ author, name }) => `${author}: ${name}`),
    }));
  return {
    ...rest,
    number: iid,
    body: description ?? '',
    state: state === 'opened' ? 'open' : 'closed',
    comments: comments.filter(isNoStatusComment),
    statusComments: comments.filter(isStatusComment),
    changeRequest:
      mergeRequest === null
        ? null
        : { head: mergeRequest.source, base: mergeRequest.target, draft: mergeRequest.draft },
  };
}
