import { z } from 'zod';
import { countCommits, listCommits } from '../../shared/git/commits.ts';
import { type FileChange, listChanges, readDiffText } from '../../shared/git/diff.ts';
import { mergeTrees } from '../../shared/git/merging.ts';
import { listRefs } from '../../shared/git/refs.ts';
import { mergeableState } from '../checks/required-checks.ts';
import { created, ok, rawText } from '../http/answers.ts';
import { mediaTypeOf } from '../http/media-type.ts';
import { paged } from '../http/pagination.ts';
import { bodyOf } from '../http/request-body.ts';
import {
  type Needs,
  onPull,
  onRepository,
  type RepositoryCall,
  reads,
  type ThreadCall,
  viewerOf,
  writes,
} from '../http/requirements.ts';
import { type Answer, type Route, route } from '../http/route.ts';
import { createPull } from '../pulls/create-pull.ts';
import { mergePull } from '../pulls/merge-pull.ts';
import { syncPulls } from '../pulls/sync-pulls.ts';
import { may } from '../state/access.ts';
import type { Pull, Repository, Thread, User } from '../state/model.ts';
import { pullRange } from '../state/pull-range.ts';
import { forbidden, notFound, validationFailed } from '../state/refusal.ts';
import { editThread } from '../state/threads.ts';
import type { World } from '../state/world.ts';
import { showChange, showCommit } from '../views/git-view.ts';
import { type PullFacts, showPull, showSinglePull } from '../views/pull-view.ts';
import { choice } from './list-issues.ts';

const pulls = '/repos/{owner}/{repo}/pulls';
const docs = 'pulls/pulls';
const reading = reads('pull_requests');
const writing = writes('pull_requests');
const merging: Needs = { ...writes('contents'), role: 'write' };

/** Pull requests. */
export const pullRoutes: readonly Route[] = [
  route(`GET ${pulls}`, `${docs}#list-pull-requests`, onRepository(reading, listPulls)),
  route(`POST ${pulls}`, `${docs}#create-a-pull-request`, onRepository(writing, openPull)),
  route(`GET ${pulls}/{pull_number}`, `${docs}#get-a-pull-request`, onPull(reading, getPull)),
  route(`PATCH ${pulls}/{pull_number}`, `${docs}#update-a-pull-request`, onPull(writing, changePull)),
  route(`GET ${pulls}/{pull_number}/files`, `${docs}#list-pull-requests-files`, onPull(reading, listFiles)),
  route(
    `GET ${pulls}/{pull_number}/commits`,
    `${docs}#list-commits-on-a-pull-request`,
    onPull(reading, listPullCommits),
  ),
  route(
    `GET ${pulls}/{pull_number}/merge`,
    `${docs}#check-if-a-pull-request-has-been-merged`,
    onPull(reading, checkMerged),
  ),
  route(`PUT ${pulls}/{pull_number}/merge`, `${docs}#merge-a-pull-request`, onPull(merging, merge)),
];

const creation = z.object({
  title: z.string(),
  head: z.string(),
  base: z.string(),
  body: z.string().nullish(),
  draft: z.boolean().default(false),
  maintainer_can_modify: z.boolean().default(true),
});
const change = z.object({
  title: z.string().optional(),
  body: z.string().nullish(),
  state: z.enum(['open', 'closed']).optional(),
  base: z.string().optional(),
});

async function listPulls(call: RepositoryCall): Promise<Answer> {
  await syncPulls(call, call.repository, call.repository.owner);
  return paged(call, selectPulls(call), ({ thread, pull }) => showPull(thread, pull, call));
}

async function openPull(call: RepositoryCall): Promise<Answer> {
  const { body, maintainer_can_modify: maintainerCanModify, ...rest } = bodyOf(call, creation);
  const opening = { ...rest, body: body ?? null, author: viewerOf(call), maintainerCanModify };
  const thread = await createPull(call, call.repository, opening);
  return created(await showCurrent({ ...call, thread }));
}

async function getPull(call: ThreadCall): Promise<Answer> {
  await syncPulls(call, call.repository, call.repository.owner);
  const media = mediaTypeOf(call.headers);
  if (media !== 'diff' && media !== 'patch') return ok(await showCurrent(call));
  const range = await pullRange(call.git, call.repository.gitDirectory, pullOf(call));
  const text = await readDiffText(call.git, call.repository.gitDirectory, { range, as: media });
  return rawText(text, `application/vnd.github.${media}`);
}

async function changePull(call: ThreadCall): Promise<Answer> {
  const by = viewerOf(call);
  if (call.thread.author !== by && !may(call.repository, by, 'write')) throw forbidden();
  await updatePull(call, call.thread, { ...bodyOf(call, change), by });
  return ok(await showCurrent(call));
}

async function listFiles(call: ThreadCall): Promise<Answer> {
  await syncPulls(call, call.repository, call.repository.owner);
  const pull = pullOf(call);
  const changes = await changesOf(call, call.repository, pull);
  return paged(call, changes, (file) =>
    showChange(call.repository, file, { urls: call.urls, commit: pull.headSha }),
  );
}

async function listPullCommits(call: ThreadCall): Promise<Answer> {
  const [from, to] = await pullRange(call.git, call.repository.gitDirectory, pullOf(call));
  const commits = await listCommits(call.git, call.repository.gitDirectory, { range: `${from}..${to}` });
  return paged(call, [...commits].reverse(), (commit) => showCommit(call.repository, commit, call.urls));
}

function checkMerged(call: ThreadCall): Answer {
  if (!pullOf(call).mergedAt) throw notFound();
  return { status: 204 };
}

async function merge(call: ThreadCall): Promise<Answer> {
  await syncPulls(call, call.repository, call.repository.owner);
  const sha = mergePull(call, { thread: call.thread, pull: pullOf(call), by: viewerOf(call) });
  return ok({ sha, merged: true, message: 'Pull Request successfully merged' });
}

async function showCurrent(call: ThreadCall) {
  const pull = pullOf(call);
  return showSinglePull(call.thread, pull, { seen: call, facts: await factsOf(call, call.repository, pull) });
}

function pullOf({ thread }: ThreadCall): Pull {
  if (!thread.pull) throw notFound();
  return thread.pull;
}

/** Compares a pull request with its base, file by file. */
async function changesOf(world: World, repository: Repository, pull: Pull): Promise<readonly FileChange[]> {
  return listChanges(
    world.git,
    repository.gitDirectory,
    await pullRange(world.git, repository.gitDirectory, pull),
  );
}

/** Asks git for the facts of a pull request. */
async function factsOf(world: World, repository: Repository, pull: Pull): Promise<PullFacts> {
  const range = await pullRange(world.git, repository.gitDirectory, pull);
  const changes = await listChanges(world.git, repository.gitDirectory, range);
  const { ahead } = await countCommits(world.git, repository.gitDirectory, range);
  const now = world.state.now();
  const isKnown = now >= pull.movedAt + world.state.mergeabilityMs;
  const isFree = () => mergeTrees(world.git, repository.gitDirectory, [pull.baseSha, pull.headSha]) !== null;
  const mergeable = isKnown ? isFree() : null;
  const isBehind = range[0] !== pull.baseSha;
  return {
    mergeable,
    mergeableState: mergeableState(repository, pull, { mergeable, isBehind, now }),
    commits: ahead,
    additions: changes.reduce((sum, change) => sum + change.additions, 0),
    deletions: changes.reduce((sum, change) => sum + change.deletions, 0),
    changedFiles: changes.length,
  };
}

interface PullChange {
  readonly title?: string | undefined;
  readonly body?: string | null | undefined;
  readonly state?: 'open' | 'closed' | undefined;
  readonly base?: string | undefined;
  readonly by: User;
}

/**
 * Edits, closes, reopens or retargets a pull request.
 * @throws {Refusal} 422 when it was merged or its head branch is gone and it should be reopened, or when the new base is missing
 * @see https://docs.github.com/rest/pulls/pulls#update-a-pull-request
 */
async function updatePull(world: World, thread: Thread, change: PullChange): Promise<void> {
  const { base, ...edit } = change;
  const { pull, repository } = thread;
  if (!pull) return;
  if (edit.state === 'open' && thread.state === 'closed') await checkReopening(world, pull);
  if (base !== undefined && !(await hasBranch(world, repository, base))) throw refused('base');
  if (base !== undefined) pull.baseBranch = base;
  editThread(world.state, thread, edit);
  await syncPulls(world, repository, edit.by);
}

async function checkReopening(world: World, pull: Pull): Promise<void> {
  if (pull.mergedAt) throw refused('state', 'state cannot be changed. The pull request cannot be reopened.');
  const { headRepository, headBranch } = pull;
  if (headRepository && (await hasBranch(world, headRepository, headBranch))) return;
  throw refused('state', `state cannot be changed. The ${headBranch} branch has been deleted.`);
}

async function hasBranch({ git }: World, repository: Repository, branch: string): Promise<boolean> {
  const name = `refs/heads/${branch}`;
  return (await listRefs(git, repository.gitDirectory, name)).some((ref) => ref.name === name);
}

function refused(field: string, message?: string) {
  return validationFailed({
    resource: 'PullRequest',
    code: 'invalid',
    field,
    ...(message ? { message } : {}),
  });
}

interface PullThread {
  readonly thread: Thread;
  readonly pull: Pull;
}

/**
 * The pull requests that a listing asks for, in its order: newest first unless sorted otherwise.
 * @see https://docs.github.com/rest/pulls/pulls#list-pull-requests
 */
function selectPulls(call: RepositoryCall): readonly PullThread[] {
  const state = choice(call, 'state', ['open', 'closed', 'all']);
  const base = call.query.get('base');
  const isFromHead = headFilter(call.query.get('head'));
  const found = [...call.repository.threads.values()].flatMap((thread) => {
    const { pull } = thread;
    if (!pull || (state !== 'all' && thread.state !== state)) return [];
    if (base && pull.baseBranch !== base) return [];
    return isFromHead(pull) ? [{ thread, pull }] : [];
  });
  return sortPulls(call, found);
}

/** `owner:branch`; a name without owner is ignored, as GitHub does. */
function headFilter(head: string | null): (pull: Pull) => boolean {
  const colon = head?.indexOf(':') ?? -1;
  if (!head || colon < 0) return () => true;
  const owner = head.slice(0, colon).toLowerCase();
  const branch = head.slice(colon + 1);
  return (pull) => pull.headBranch === branch && pull.headOwner.login.toLowerCase() === owner;
}

function sortPulls(call: RepositoryCall, found: PullThread[]): readonly PullThread[] {
  const sort = choice(call, 'sort', ['created', 'updated', 'popularity', 'long-running']);
  const direction =
    sort === 'created'
      ? choice(call, 'direction', ['desc', 'asc'])
      : choice(call, 'direction', ['asc', 'desc']);
  const sign = direction === 'asc' ? 1 : -1;
  const compare = (one: Thread, other: Thread): number => {
    if (sort === 'updated') return one.updatedAt.localeCompare(other.updatedAt);
    return sort === 'popularity' ? one.comments.size - other.comments.size : 0;
  };
  return found.sort(
    ({ thread: one }, { thread: other }) => sign * (compare(one, other) || one.number - other.number),
  );
}
