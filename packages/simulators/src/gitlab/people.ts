import { commitToBranch, type FilesCommit } from '../shared/git/commit-to-branch.ts';
import type { GitLabSimulator, SimulatedGitLabThread, SimulatedNote } from './gitlab-simulator.ts';
import { commitIdentity } from './merge-requests/commit-identity.ts';
import { createMergeRequest } from './merge-requests/create-merge-request.ts';
import { mergeMergeRequest } from './merge-requests/merge-merge-request.ts';
import { syncAfterPush } from './merge-requests/sync-merge-requests.ts';
import type { SimulatedGitLabIssueSeed, SimulatedMergeRequestSeed } from './seeds.ts';
import { mayReadInternal } from './state/access.ts';
import { isDraft, toDraft, toReady } from './state/draft.ts';
import { editThread } from './state/edit-thread.ts';
import type { Note, Project, Thread, User } from './state/model.ts';
import { addNote, addSystemNote, deleteNote, editNote, seededNote } from './state/notes.ts';
import { seededProject } from './state/projects.ts';
import { deleteThread, openThread, referenceOf, seededThread } from './state/threads.ts';
import { seededUser } from './state/users.ts';
import type { World } from './world.ts';

type People = Pick<
  GitLabSimulator,
  | 'openIssue'
  | 'openMergeRequest'
  | 'push'
  | 'note'
  | 'editNote'
  | 'deleteNote'
  | 'thread'
  | 'threads'
  | 'addLabels'
  | 'removeLabel'
  | 'assign'
  | 'editThread'
  | 'closeThread'
  | 'reopenThread'
  | 'deleteThread'
  | 'setAutoMerge'
>;

/** Does what people do on GitLab, through the very functions that the REST routes use. */
export function createPeople(world: World): People {
  const { state } = world;
  const projectOf = (path: string) => seededProject(state, path);
  const threadOf = (path: string, reference: string) => seededThread(projectOf(path), reference);
  const creatorOf = (thread: Thread) => thread.project.creator;
  const doerOf = (thread: Thread, { by }: { readonly by?: string } = {}) =>
    by === undefined ? creatorOf(thread) : seededUser(state, by);
  const edit = (thread: Thread, change: Parameters<typeof editThread>[2]) =>
    editThread(state, thread, change);

  return {
    openIssue: (seed) => {
      const { title, description = null, confidential = false } = seed;
      const author = seededUser(state, seed.author);
      const thread = openThread(state, projectOf(seed.project), {
        author,
        title,
        description,
        confidential,
        merge: null,
      });
      return finishSeed(world, thread, seed);
    },
    openMergeRequest: (seed) => openMergeRequest(world, seed),
    push: ({ project: path, author, ...commit }) => {
      const project = projectOf(path);
      const by = seededUser(state, author);
      return push(world, project, { ...commit, author: by, base: project.defaultBranch });
    },
    note: ({ project, reference, author: username, body, internal = false, system = false }) => {
      const thread = threadOf(project, reference);
      const author = seededUser(state, username);
      if (internal && !mayReadInternal(state, thread.project, author)) {
        throw new Error(
          `"${username}" can't write internal notes: setAccess('${project}', '${username}', 'reporter') first.`,
        );
      }
      return summarizeNote(
        system
          ? addSystemNote(state, thread, { author, body })
          : addNote(state, thread, { author, body, internal }),
      );
    },
    editNote: (project, id, body) => editNote(state, seededNote(projectOf(project), id), body),
    deleteNote: (project, id) => deleteNote(state, seededNote(projectOf(project), id)),
    thread: (project, reference) => summarizeThread(threadOf(project, reference)),
    threads: (project) => {
      const { issues, mergeRequests } = projectOf(project);
      return [...issues.values(), ...mergeRequests.values()].map(summarizeThread);
    },
    addLabels: (project, reference, labels, options) => {
      const thread = threadOf(project, reference);
      edit(thread, { labels: { add: labels }, by: doerOf(thread, options) });
    },
    removeLabel: (project, reference, label, options) => {
      const thread = threadOf(project, reference);
      edit(thread, { labels: { remove: [label] }, by: doerOf(thread, options) });
    },
    assign: (project, reference, usernames, options) => {
      const thread = threadOf(project, reference);
      assign(world, thread, { usernames, by: doerOf(thread, options) });
    },
    editThread: (project, reference, { by, ...change }) => {
      const thread = threadOf(project, reference);
      edit(thread, { ...change, by: by === undefined ? thread.author : seededUser(state, by) });
    },
    closeThread: (project, reference, options) => {
      const thread = threadOf(project, reference);
      if (options?.merged) merge(world, thread, creatorOf(thread));
      else edit(thread, { state: 'closed', by: creatorOf(thread) });
    },
    reopenThread: (project, reference, options) => {
      const thread = threadOf(project, reference);
      edit(thread, { state: 'opened', by: doerOf(thread, options) });
    },
    deleteThread: (project, reference) => deleteThread(threadOf(project, reference)),
    setAutoMerge: (project, reference) => {
      const { merge } = threadOf(project, reference);
      if (merge === null) throw new Error(`${project}${reference} is not a merge request.`);
      merge.autoMerge = true;
    },
  };
}

async function openMergeRequest(
  world: World,
  seed: SimulatedMergeRequestSeed,
): Promise<SimulatedGitLabThread> {
  const { state } = world;
  const target = seededProject(state, seed.project);
  const source = seededProject(state, seed.sourceProject ?? seed.project);
  const author = seededUser(state, seed.author);
  const targetBranch = seed.targetBranch ?? target.defaultBranch;
  if (seed.files) {
    await push(world, source, { author, branch: seed.sourceBranch, base: targetBranch, files: seed.files });
  }
  const thread = await createMergeRequest(world, {
    author,
    title: seed.draft ? toDraft(seed.title) : seed.title,
    description: seed.description ?? null,
    source: { project: source, branch: seed.sourceBranch },
    target: { project: target, branch: targetBranch },
    removeSourceBranch: false,
  });
  return finishSeed(world, thread, seed);
}

/** Commits files as somebody's push, and brings merge requests up to date; returns the commit's id. */
async function push(
  world: World,
  project: Project,
  { author, ...commit }: Omit<FilesCommit, 'author' | 'now'> & { readonly author: User },
): Promise<string> {
  const { git, state } = world;
  const written = { ...commit, author: commitIdentity(author), now: state.now() };
  const sha = await commitToBranch(git, project.gitDirectory, written);
  await syncAfterPush(world, project, author);
  return sha;
}

/** Labels and assigns as the creator of the project would, whoever opened the thread, or as somebody who is named. */
function finishSeed(
  world: World,
  thread: Thread,
  seed: Omit<SimulatedGitLabIssueSeed, 'confidential'>,
): SimulatedGitLabThread {
  const { labels, assignees, labeledBy } = seed;
  const by = labeledBy === undefined ? thread.project.creator : seededUser(world.state, labeledBy);
  if (labels?.length) editThread(world.state, thread, { labels: { add: labels }, by });
  if (assignees?.length) assign(world, thread, { usernames: assignees, by });
  return summarizeThread(thread);
}

function assign(
  { state }: World,
  thread: Thread,
  { usernames, by }: { readonly usernames: readonly string[]; readonly by: User },
): void {
  if (state.tier === 'free' && usernames.length > 1) {
    throw new Error(`The free tier has one assignee: start the simulator with tier: 'premium' for more.`);
  }
  const assignees = usernames.map((username) => seededUser(state, username));
  editThread(state, thread, { assignees, by });
}

function merge(world: World, thread: Thread, by: User): void {
  if (!thread.merge) throw new Error(`#${thread.iid} is an issue: only a merge request can be merged.`);
  // People mark a draft as ready before they merge it.
  editThread(world.state, thread, { title: toReady(thread.title), by });
  mergeMergeRequest(world, { thread, merge: thread.merge, by });
}

/** A thread in the words of the simulator's own interface. */
function summarizeThread(thread: Thread): SimulatedGitLabThread {
  const { iid, title, description, state, confidential, createdAt, updatedAt, merge } = thread;
  return {
    iid,
    reference: referenceOf(thread),
    title,
    description,
    state,
    confidential,
    createdAt,
    updatedAt,
    labels: [...thread.labels.keys()].sort(),
    assignees: thread.assignees.map(({ username }) => username),
    notes: [...thread.notes.values()].map(summarizeNote),
    mergeRequest: merge && { source: merge.sourceBranch, target: merge.targetBranch, draft: isDraft(title) },
  };
}

/** A note in the words of the simulator's own interface. */
function summarizeNote(note: Note): SimulatedNote {
  const { id, author, body, system, internal, createdAt, updatedAt } = note;
  const awards = [...note.awards.values()].map(({ name, user }) => ({ author: user.username, name }));
  return {
    id,
    author: author.isDeleted ? 'ghost' : author.username,
    body,
    system,
    internal,
    createdAt,
    updatedAt,
    awards,
  };
}
