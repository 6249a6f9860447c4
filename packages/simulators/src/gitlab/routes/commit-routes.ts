import { z } from 'zod';
import { findMergeBase, listCommits, readCommit } from '../../shared/git/commits.ts';
import { listChanges } from '../../shared/git/diff.ts';
import { resolveCommit } from '../../shared/git/refs.ts';
import { boolean, filled, inputOf } from '../http/input.ts';
import { paged } from '../http/pagination.ts';
import { onCode, type ProjectCall } from '../http/requirements.ts';
import { type Answer, ok, parameter, type Route, route } from '../http/route.ts';
import { notFound } from '../state/refusal.ts';
import { showChange, showCommit } from '../views/git-view.ts';

const repository = '/projects/{id}/repository';

/** Commits, and the difference between two. @see https://docs.gitlab.com/api/commits/ */
export const commitRoutes: readonly Route[] = [
  route(`GET ${repository}/commits`, onCode(list)),
  route(`GET ${repository}/commits/{sha}`, onCode(getCommit)),
  route(`GET ${repository}/compare`, onCode(compare)),
];

const listing = z.object({ ref_name: z.string().optional(), path: z.string().optional() });
const comparing = z.object({ from: filled, to: filled, straight: boolean.default(false) });

/** Commits are never counted: there is no `x-total` here. An empty repository has none. */
async function list(call: ProjectCall): Promise<Answer> {
  const { ref_name: ref, path } = inputOf(call, listing);
  const { git, project } = call;
  const range = await resolveCommit(git, project.gitDirectory, ref ?? project.defaultBranch);
  if (!range && ref !== undefined) throw notFound('Commit');
  const commits = range
    ? await listCommits(git, project.gitDirectory, { range, ...(path ? { path } : {}) })
    : [];
  const answer = paged(call, commits, { show: (commit) => showCommit(call, project, commit) });
  const { 'x-total': _, 'x-total-pages': __, ...headers } = answer.headers ?? {};
  return { ...answer, headers };
}

async function getCommit(call: ProjectCall): Promise<Answer> {
  const { git, project } = call;
  const sha = await resolveCommit(git, project.gitDirectory, parameter(call, 'sha'));
  const commit = sha && (await readCommit(git, project.gitDirectory, sha));
  if (!commit) throw notFound('Commit');
  return ok({ ...showCommit(call, project, commit), status: null, last_pipeline: null });
}

async function compare(call: ProjectCall): Promise<Answer> {
  const { from, to, straight } = inputOf(call, comparing);
  const { git, project } = call;
  const [base, head] = await Promise.all(
    [from, to].map((ref) => resolveCommit(git, project.gitDirectory, ref)),
  );
  if (!base || !head) throw notFound('Ref');
  const start = straight ? base : ((await findMergeBase(git, project.gitDirectory, [base, head])) ?? base);
  const commits = await listCommits(git, project.gitDirectory, { range: `${start}..${head}` });
  const oldestFirst = [...commits].reverse().map((commit) => showCommit(call, project, commit));
  return ok({
    commit: oldestFirst.at(-1) ?? null,
    commits: oldestFirst,
    diffs: (await listChanges(git, project.gitDirectory, [start, head])).map(showChange),
    compare_timeout: false,
    compare_same_ref: from === to,
    web_url: `${call.web}/${project.path}/-/compare/${from}...${to}`,
  });
}
