import { z } from 'zod';
import { boolean, filled, ids, inputOf, integer } from '../http/input.ts';
import { paged } from '../http/pagination.ts';
import {
  authenticated,
  onCode,
  onThread,
  type ProjectCall,
  type ThreadCall,
  viewerOf,
} from '../http/requirements.ts';
import { type Answer, type Call, created, ok, type Route, route } from '../http/route.ts';
import { readBranches } from '../merge-requests/branches.ts';
import { checkNoneOpen, createMergeRequest } from '../merge-requests/create-merge-request.ts';
import { changesOf, commitsOf, factsOf } from '../merge-requests/merge-facts.ts';
import { mergeMergeRequest } from '../merge-requests/merge-merge-request.ts';
import { addVersion, syncAfterPush } from '../merge-requests/sync-merge-requests.ts';
import { accessLevels, mayPush, mayReadCode, maySetMetadata } from '../state/access.ts';
import { setReviewers } from '../state/approvals.ts';
import { editThread, type ThreadEdit } from '../state/edit-thread.ts';
import type { MergePart, Thread, User } from '../state/model.ts';
import { addSystemNote } from '../state/notes.ts';
import { forbidden, notFound, refuse, unauthorized } from '../state/refusal.ts';
import { findUserById } from '../state/users.ts';
import { showChange, showCommit } from '../views/git-view.ts';
import { showMergeRequest, showWholeMergeRequest } from '../views/merge-request-view.ts';
import type { World } from '../world.ts';
import { listThreads } from './list-threads.ts';
import { listEverywhere, removeThread, requireSomeField } from './thread-actions.ts';
import { editFields, readEdit, readMetadata, threadFields } from './thread-input.ts';

const mergeRequests = '/projects/{id}/merge_requests';

/** Merge requests. @see https://docs.gitlab.com/api/merge_requests/ */
export const mergeRequestRoutes: readonly Route[] = [
  route('GET /merge_requests', listAll),
  route(
    `GET ${mergeRequests}`,
    onCode((call) =>
      listThreads(call, call.project.mergeRequests.values(), { show: (thread) => show(call, thread) }),
    ),
  ),
  route(`POST ${mergeRequests}`, authenticated(onCode(create))),
  route(
    `GET ${mergeRequests}/{iid}`,
    onThread(async (call) => ok(await showWhole(call))),
  ),
  route(`PUT ${mergeRequests}/{iid}`, authenticated(onThread(update))),
  route(`DELETE ${mergeRequests}/{iid}`, authenticated(onThread(removeThread))),
  route(`PUT ${mergeRequests}/{iid}/merge`, authenticated(onThread(merge))),
  route(`GET ${mergeRequests}/{iid}/changes`, onThread(getChanges)),
  route(`GET ${mergeRequests}/{iid}/diffs`, onThread(listDiffs)),
  route(`GET ${mergeRequests}/{iid}/versions`, onThread(listVersions)),
  route(`GET ${mergeRequests}/{iid}/commits`, onThread(listCommits)),
];

const creation = z.object({
  title: z.string(),
  source_branch: z.string(),
  target_branch: z.string(),
  target_project_id: integer.optional(),
  remove_source_branch: boolean.nullish(),
  reviewer_ids: ids.optional(),
  ...threadFields,
});
const change = z.object({
  title: filled.optional(),
  target_branch: filled.optional(),
  reviewer_ids: ids.optional(),
  ...threadFields,
  ...editFields,
});

function listAll(call: Call): Answer {
  return listEverywhere(call, { areMergeRequests: true, show: (thread) => show(call, thread) });
}

function show(call: Call, thread: Thread) {
  return showMergeRequest(call, partsOf(thread));
}

/** The address names the project of the source branch; `target_project_id` that which it is for. */
async function create(call: ProjectCall): Promise<Answer> {
  const { state, project } = call;
  const author = viewerOf(call);
  const input = inputOf(call, creation);
  const target =
    input.target_project_id === undefined ? project : state.projects.get(input.target_project_id);
  if (!target || !mayReadCode(state, target, author)) throw notFound('Project');
  if (call.level < accessLevels.developer) throw forbidden();
  const thread = await createMergeRequest(call, {
    author,
    title: input.title,
    description: input.description ?? null,
    source: { project, branch: input.source_branch },
    target: { project: target, branch: input.target_branch },
    removeSourceBranch: input.remove_source_branch ?? false,
  });
  if (maySetMetadata(state, thread, author))
    editThread(state, thread, { ...readMetadata(state, target, input), by: author });
  askReviewers({ ...call, thread }, input.reviewer_ids);
  return created(await showWhole({ ...call, project: target, thread }));
}

async function update(call: ThreadCall): Promise<Answer> {
  const { title, target_branch: targetBranch, reviewer_ids: reviewers, ...input } = inputOf(call, change);
  const edit = readEdit(call, input);
  requireSomeField(call, Object.keys(change.shape));
  await updateMergeRequest(call, partsOf(call.thread), { ...edit, title, targetBranch });
  askReviewers(call, reviewers);
  return ok(await showWhole(call));
}

/** Dropped in silence from who may not ask, as assignees are. */
function askReviewers(
  call: Pick<ThreadCall, 'state' | 'viewer' | 'thread'>,
  given: readonly number[] | undefined,
): void {
  const { state, thread, viewer } = call;
  if (!given || !viewer || !maySetMetadata(state, thread, viewer)) return;
  const users = given.flatMap((id) => findUserById(state, id) ?? []);
  setReviewers(state, partsOf(thread), users);
}

async function merge(call: ThreadCall): Promise<Answer> {
  const parts = partsOf(call.thread);
  const by = viewerOf(call);
  if (!mayPush(call.state, call.project, { user: by, branch: parts.merge.targetBranch }))
    throw unauthorized();
  const sha = call.input.sha;
  if (sha !== undefined && sha !== parts.merge.headSha) {
    throw refuse(409, 'SHA does not match HEAD of source branch');
  }
  mergeMergeRequest(call, { ...parts, by });
  return ok(await showWhole(call));
}

async function getChanges(call: ThreadCall): Promise<Answer> {
  const { merge } = partsOf(call.thread);
  const changes = (await changesOf(call, call.project, merge)).map(showChange);
  return ok({ ...(await showWhole(call)), changes, overflow: false });
}

async function listDiffs(call: ThreadCall): Promise<Answer> {
  const { merge } = partsOf(call.thread);
  return paged(call, await changesOf(call, call.project, merge), { show: showChange });
}

/** Newest first. @see https://docs.gitlab.com/api/merge_requests/#get-merge-request-diff-versions */
function listVersions(call: ThreadCall): Answer {
  const { merge } = partsOf(call.thread);
  return paged(call, merge.versions.toReversed(), {
    show: ({ id, refs, createdAt }) => ({
      id,
      head_commit_sha: refs.head,
      base_commit_sha: refs.base,
      start_commit_sha: refs.start,
      created_at: createdAt,
      merge_request_id: call.thread.id,
      state: 'collected',
    }),
  });
}

async function listCommits(call: ThreadCall): Promise<Answer> {
  const { merge } = partsOf(call.thread);
  const commits = await commitsOf(call, call.project, merge);
  return paged(call, commits, { show: (commit) => showCommit(call, call.project, commit) });
}

async function showWhole(call: ThreadCall) {
  const { state, viewer, thread } = call;
  const parts = partsOf(thread);
  const facts = await factsOf(call, thread.project, parts.merge);
  const canMerge =
    viewer !== null && mayPush(state, thread.project, { user: viewer, branch: parts.merge.targetBranch });
  return showWholeMergeRequest(call, parts, { ...facts, canMerge });
}

function partsOf(thread: Thread): { readonly thread: Thread; readonly merge: MergePart } {
  if (!thread.merge) throw notFound();
  return { thread, merge: thread.merge };
}

/**
 * Edits, closes, reopens or retargets a merge request. One that was merged stays so: its `state_event` does nothing.
 * @throws {Refusal} 400 for a target branch that does not exist; 409 when another one is open between the branches
 * @see https://docs.gitlab.com/api/merge_requests/#update-mr
 */
async function updateMergeRequest(
  world: World,
  { thread, merge }: { readonly thread: Thread; readonly merge: MergePart },
  change: ThreadEdit & { readonly by: User; readonly targetBranch?: string | undefined },
): Promise<void> {
  const { targetBranch = merge.targetBranch, ...edit } = change;
  const branches = await readBranches(world, thread.project);
  const isRetargeted = targetBranch !== merge.targetBranch;
  if (isRetargeted && !branches.has(targetBranch)) {
    throw refuse(400, { target_branch: [`"${targetBranch}" does not exist`] });
  }
  const isOpening = edit.state === 'opened' && thread.state === 'closed';
  if (isOpening || isRetargeted) {
    const { sourceProject, sourceBranch } = merge;
    checkNoneOpen(thread.project, { sourceProject, sourceBranch, targetBranch, except: thread });
  }
  if (isRetargeted) {
    const body = `changed target branch from \`${merge.targetBranch}\` to \`${targetBranch}\``;
    merge.targetBranch = targetBranch;
    merge.baseSha = branches.get(targetBranch) ?? null;
    addSystemNote(world.state, thread, { author: edit.by, body });
    if (merge.headSha && merge.baseSha)
      await addVersion(world, { thread, merge, by: edit.by }, { head: merge.headSha, start: merge.baseSha });
  }
  editThread(world.state, thread, edit);
  if (isOpening) await syncAfterPush(world, thread.project, edit.by);
}
