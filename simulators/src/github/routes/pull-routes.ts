import { z } from 'zod';
import { listCommits } from '../../shared/git/commits.ts';
import { readDiffText } from '../../shared/git/diff.ts';
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
import { changesOf, factsOf, rangeOf } from '../pulls/pull-facts.ts';
import { syncPulls } from '../pulls/sync-pulls.ts';
import { updatePull } from '../pulls/update-pull.ts';
import { may } from '../state/access.ts';
import type { Pull } from '../state/model.ts';
import { forbidden, notFound } from '../state/refusal.ts';
import { showChange, showCommit } from '../views/git-view.ts';
import { showPull, showSinglePull } from '../views/pull-view.ts';
import { selectPulls } from './list-pulls.ts';

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
  const range = await rangeOf(call, call.repository, pullOf(call));
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
  const [from, to] = await rangeOf(call, call.repository, pullOf(call));
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
