import type { GitHubSimulator, SimulatedComment, SimulatedThread } from './github-simulator.ts';
import { createPull } from './pulls/create-pull.ts';
import { mergePull } from './pulls/merge-pull.ts';
import { pushFiles } from './pulls/push-files.ts';
import type { SimulatedIssueSeed, SimulatedPullRequestSeed } from './seeds.ts';
import { addAssignees, removeAssignees } from './state/assignees.ts';
import { addComment, deleteComment, editComment, findComment } from './state/comments.ts';
import { addLabels, removeLabel } from './state/labels.ts';
import type { Comment, Thread } from './state/model.ts';
import { seededRepository } from './state/repositories.ts';
import { deleteThread, editThread, openThread, seededThread, transferThread } from './state/threads.ts';
import { seededUser } from './state/users.ts';
import type { World } from './state/world.ts';

type People = Pick<
  GitHubSimulator,
  | 'openIssue'
  | 'openPullRequest'
  | 'push'
  | 'comment'
  | 'editComment'
  | 'deleteComment'
  | 'thread'
  | 'threads'
  | 'addLabels'
  | 'removeLabel'
  | 'assign'
  | 'unassign'
  | 'editThread'
  | 'closeThread'
  | 'reopenThread'
  | 'deleteThread'
  | 'addToMergeQueue'
  | 'renameDefaultBranch'
  | 'setParent'
  | 'minimizeComment'
  | 'lockThread'
  | 'transferIssue'
>;

/** Does what people do on GitHub, through the very functions that the REST routes use. */
export function createPeople(world: World): People {
  const { state } = world;
  const repositoryOf = (repo: string) => seededRepository(state, repo);
  const threadOf = (repo: string, number: number) => seededThread(repositoryOf(repo), number);
  const doerOf = (repo: string, { by }: { readonly by?: string } = {}) =>
    by === undefined ? repositoryOf(repo).owner : seededUser(state, by);

  return {
    openIssue: (seed) => {
      const { author, title, body = null } = seed;
      const repository = repositoryOf(seed.repo);
      const opened = openThread(state, repository, {
        author: seededUser(state, author),
        title,
        body,
        pull: null,
      });
      return label(world, opened, seed);
    },
    openPullRequest: (seed) => openPullRequest(world, seed),
    push: ({ repo, author, ...push }) => {
      const repository = repositoryOf(repo);
      const by = seededUser(state, author);
      return pushFiles(world, repository, { ...push, author: by, base: repository.defaultBranch });
    },
    comment: ({ repo, number, author, body }) =>
      summarizeComment(
        addComment(state, threadOf(repo, number), { author: seededUser(state, author), body }),
      ),
    editComment: (repo, id, body, { by } = {}) => {
      const comment = findComment(repositoryOf(repo), id);
      editComment(state, comment, { body, by: by === undefined ? comment.author : seededUser(state, by) });
    },
    deleteComment: (repo, id) => deleteComment(state, findComment(repositoryOf(repo), id)),
    minimizeComment: (repo, id, reason) => {
      findComment(repositoryOf(repo), id).minimizedReason = reason;
    },
    lockThread: (repo, number, { locked = true } = {}) => {
      threadOf(repo, number).locked = locked;
    },
    thread: (repo, number) => summarizeThread(threadOf(repo, number)),
    threads: (repo) => [...repositoryOf(repo).threads.values()].map(summarizeThread),
    addLabels: (repo, number, names, options) =>
      addLabels(state, threadOf(repo, number), { names, by: doerOf(repo, options) }),
    removeLabel: (repo, number, name, options) =>
      removeLabel(state, threadOf(repo, number), { name, by: doerOf(repo, options) }),
    assign: (repo, number, logins, options) => assign(world, threadOf(repo, number), { logins, ...options }),
    unassign: (repo, number, logins) => removeAssignees(threadOf(repo, number), logins),
    editThread: (repo, number, { by, ...change }) => {
      const thread = threadOf(repo, number);
      editThread(state, thread, { ...change, by: by === undefined ? thread.author : seededUser(state, by) });
    },
    closeThread: (repo, number, options) => close(world, threadOf(repo, number), options?.merged ?? false),
    reopenThread: (repo, number, options) =>
      editThread(state, threadOf(repo, number), { state: 'open', by: doerOf(repo, options) }),
    deleteThread: (repo, number) => deleteThread(threadOf(repo, number)),
    setParent: (repo, number, parent) => {
      threadOf(repo, number).parent = threadOf(repo, parent);
    },
    transferIssue: (repo, number, to) =>
      transferThread(state, threadOf(repo, number), repositoryOf(to)).number,
    renameDefaultBranch: (repo, name) => {
      const repository = repositoryOf(repo);
      world.git.readSync(repository.gitDirectory, ['branch', '-m', repository.defaultBranch, name]);
      repository.defaultBranch = name;
    },
    addToMergeQueue: (repo, number) => {
      const { pull } = threadOf(repo, number);
      if (pull === null) throw new Error(`${repo}#${number} is not a pull request.`);
      pull.isInMergeQueue = true;
    },
  };
}

async function openPullRequest(world: World, seed: SimulatedPullRequestSeed): Promise<SimulatedThread> {
  const { state } = world;
  const repository = seededRepository(state, seed.repo);
  const head = seededRepository(state, seed.headRepository ?? seed.repo);
  const author = seededUser(state, seed.author);
  const base = seed.baseBranch ?? repository.defaultBranch;
  if (seed.files) await pushFiles(world, head, { author, branch: seed.headBranch, base, files: seed.files });
  const thread = await createPull(world, repository, {
    author,
    title: seed.title,
    body: seed.body ?? null,
    head: head === repository ? seed.headBranch : `${head.owner.login}:${seed.headBranch}`,
    base,
    draft: seed.draft ?? false,
    maintainerCanModify: true,
  });
  return label(world, thread, seed);
}

/** Labels and assigns as the owner of the repository would, whoever opened the thread, or as somebody who is named. */
function label(world: World, thread: Thread, seed: SimulatedIssueSeed): SimulatedThread {
  const { labels: names = [], labeledBy } = seed;
  const by = labeledBy === undefined ? thread.repository.owner : seededUser(world.state, labeledBy);
  addLabels(world.state, thread, { names, by });
  assign(world, thread, { logins: seed.assignees ?? [] });
  return summarizeThread(thread);
}

function assign(
  { state }: World,
  thread: Thread,
  { logins, by }: { readonly logins: readonly string[]; readonly by?: string },
): void {
  const actor = by === undefined ? thread.repository.owner : seededUser(state, by);
  addAssignees(state, thread, { logins, by: actor });
  const missing = logins.find((login) => !thread.assignees.has(login.toLowerCase()));
  if (missing === undefined) return;
  throw new Error(
    `"${missing}" can't be assigned: addUser first and make it one of the repository's collaborators.`,
  );
}

function close(world: World, thread: Thread, merged: boolean): void {
  const by = thread.repository.owner;
  if (!merged) {
    editThread(world.state, thread, { state: 'closed', by });
    return;
  }
  if (!thread.pull) throw new Error(`#${thread.number} is an issue: only a pull request can be merged.`);
  // People mark a draft as ready before they merge it.
  thread.pull.draft = false;
  mergePull(world, { thread, pull: thread.pull, by });
}

/** A thread in the words of the simulator's own interface. */
function summarizeThread(thread: Thread): SimulatedThread {
  const { number, title, body, state, createdAt, updatedAt, pull } = thread;
  return {
    number,
    title,
    body,
    state,
    createdAt,
    updatedAt,
    labels: [...thread.labels.values()].map(({ name }) => name),
    assignees: [...thread.assignees.values()].map(({ login }) => login),
    comments: [...thread.comments.values()].map(summarizeComment),
    pullRequest: pull && {
      head: pull.headBranch,
      base: pull.baseBranch,
      draft: pull.draft,
      merged: pull.mergedAt !== null,
    },
  };
}

/** A comment in the words of the simulator's own interface. */
function summarizeComment(comment: Comment): SimulatedComment {
  const { id, author, body, createdAt, updatedAt } = comment;
  const reactions = [...comment.reactions.values()].map(({ user, content }) => ({
    author: user.login,
    content,
  }));
  return { id, author: author.deletedAs ? null : author.login, body, createdAt, updatedAt, reactions };
}
