import { countCommits, findMergeBase, listCommits, readCommit } from '../../shared/git/commits.ts';
import { listChanges, readDiffText } from '../../shared/git/diff.ts';
import { resolveCommit } from '../../shared/git/refs.ts';
import { ok, rawText } from '../http/answers.ts';
import { mediaTypeOf } from '../http/media-type.ts';
import { onRepository, type RepositoryCall, reads } from '../http/requirements.ts';
import { type Answer, parameter, type Route, route } from '../http/route.ts';
import { repositoryApi, repositoryPage } from '../http/urls.ts';
import { notFound } from '../state/refusal.ts';
import type { Vendor } from '../vendor.ts';
import { showChange, showCommit } from '../views/git-view.ts';

/** Two commits, and what lies between them. */
export const compareRoutes: readonly Route[] = [
  route(
    'GET /repos/{owner}/{repo}/compare/{basehead+}',
    'commits/commits#compare-two-commits',
    onRepository(reads('contents'), compare),
  ),
];

async function compare(call: RepositoryCall): Promise<Answer> {
  const { git, repository, urls } = call;
  const directory = repository.gitDirectory;
  const [base, head] = await readEnds(call);
  const mergeBase = await findMergeBase(git, directory, [base, head]);
  if (!mergeBase) throw notFound();
  const media = mediaTypeOf(call.headers);
  if (media === 'diff' || media === 'patch') {
    const text = await readDiffText(git, directory, { range: [mergeBase, head], as: media });
    return rawText(text, `application/vnd.github.${media}`);
  }
  const { ahead, behind } = await countCommits(git, directory, [base, head]);
  const commits = await listCommits(git, directory, { range: `${base}..${head}`, limit: 250 });
  const changes = await listChanges(git, directory, [mergeBase, head]);
  const body: Vendor['commit-comparison'] = {
    ...showAddresses(call, [base, head]),
    base_commit: await showOne(call, base),
    merge_base_commit: await showOne(call, mergeBase),
    status: statusOf({ ahead, behind }),
    ahead_by: ahead,
    behind_by: behind,
    total_commits: ahead,
    commits: [...commits].reverse().map((commit) => showCommit(repository, commit, urls)),
    files: changes.map((change) => showChange(repository, change, { urls, commit: head })),
  };
  return ok(body);
}

async function readEnds(call: RepositoryCall): Promise<readonly [string, string]> {
  const [base = '', head = ''] = parameter(call, 'basehead').split('...');
  const shas = await Promise.all(
    [base, head].map((name) =>
      resolveCommit(call.git, call.repository.gitDirectory, name.replace(/^[^:/]+:/, '')),
    ),
  );
  const [from, to] = shas;
  if (!from || !to) throw notFound();
  return [from, to];
}

function statusOf({ ahead, behind }: { readonly ahead: number; readonly behind: number }) {
  if (ahead > 0 && behind > 0) return 'diverged';
  if (ahead > 0) return 'ahead';
  return behind > 0 ? 'behind' : 'identical';
}

async function showOne(call: RepositoryCall, sha: string): Promise<Vendor['commit']> {
  const commit = await readCommit(call.git, call.repository.gitDirectory, sha);
  if (!commit) throw notFound();
  return showCommit(call.repository, commit, call.urls);
}

function showAddresses({ urls, repository }: RepositoryCall, [base, head]: readonly [string, string]) {
  const page = `${repositoryPage(urls, repository)}/compare/${base}...${head}`;
  return {
    url: `${repositoryApi(urls, repository)}/compare/${base}...${head}`,
    html_url: page,
    permalink_url: page,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
  };
}
