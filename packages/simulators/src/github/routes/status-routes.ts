import { z } from 'zod';
import { latestStatuses, statusesOf } from '../checks/read-checks.ts';
import { addStatus } from '../checks/write-checks.ts';
import { created } from '../http/answers.ts';
import { paged } from '../http/pagination.ts';
import { bodyOf } from '../http/request-body.ts';
import {
  type Needs,
  onRepository,
  type RepositoryCall,
  reads,
  viewerOf,
  writes,
} from '../http/requirements.ts';
import { type Answer, parameter, type Route, route } from '../http/route.ts';
import { repositoryApi } from '../http/urls.ts';
import type { CommitStatus } from '../state/check-model.ts';
import { showMinimalRepository, showSimpleStatus, showStatus } from '../views/check-view.ts';
import { commitOf, seenBy } from './check-routes.ts';

const address = '/repos/{owner}/{repo}';
const docs = 'commits/statuses';
const reading = reads('statuses');
const writing: Needs = { ...writes('statuses'), role: 'write' };

/** Statuses of commits. */
export const statusRoutes: readonly Route[] = [
  route(
    `GET ${address}/commits/{ref}/status`,
    `${docs}#get-the-combined-status-for-a-specific-reference`,
    onRepository(reading, combine),
  ),
  route(
    `GET ${address}/commits/{ref}/statuses`,
    `${docs}#list-commit-statuses-for-a-reference`,
    onRepository(reading, list),
  ),
  route(`POST ${address}/statuses/{sha}`, `${docs}#create-a-commit-status`, onRepository(writing, create)),
];

async function combine(call: RepositoryCall): Promise<Answer> {
  const { sha } = await commitOf(call, parameter(call, 'ref'));
  const seen = seenBy(call);
  const latest = latestStatuses(statusesOf(call.repository.checks, sha, seen.now));
  const page = paged(call, latest, (status) => showSimpleStatus(status, seen));
  const url = `${repositoryApi(call.urls, call.repository)}/commits/${sha}`;
  return {
    ...page,
    body: {
      state: stateOf(latest),
      statuses: page.body,
      sha,
      total_count: latest.length,
      repository: showMinimalRepository(seen),
      commit_url: url,
      url: `${url}/status`,
    },
  };
}

/** Newest first. */
async function list(call: RepositoryCall): Promise<Answer> {
  const { sha } = await commitOf(call, parameter(call, 'ref'));
  const seen = seenBy(call);
  const all = [...statusesOf(call.repository.checks, sha, seen.now)].reverse();
  return paged(call, all, (status) => showStatus(status, seen));
}

const body = z.object({
  state: z.enum(['error', 'failure', 'pending', 'success']),
  target_url: z.string().nullish(),
  description: z.string().max(140).nullish(),
  context: z.string().default('default'),
});

async function create(call: RepositoryCall): Promise<Answer> {
  const commit = await commitOf(call, parameter(call, 'sha'));
  const { state, target_url, description, context } = bodyOf(call, body);
  const status = addStatus(call.state, call.repository, {
    sha: commit.sha,
    commit,
    context,
    state,
    description: description ?? null,
    targetUrl: target_url ?? null,
    creator: viewerOf(call),
    at: call.state.now(),
  });
  return created(showStatus(status, seenBy(call)));
}

/** A commit without any status is pending. */
function stateOf(statuses: readonly CommitStatus[]): string {
  const states = statuses.map(({ state }) => state);
  if (states.includes('failure') || states.includes('error')) return 'failure';
  return states.length === 0 || states.includes('pending') ? 'pending' : 'success';
}
