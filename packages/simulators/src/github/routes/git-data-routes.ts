import { listCommits, readCommit } from '../../shared/git/commits.ts';
import { resolveCommit } from '../../shared/git/refs.ts';
import { listTree, readBlob, type TreeEntry } from '../../shared/git/trees.ts';
import { ok, rawText } from '../http/answers.ts';
import { mediaTypeOf } from '../http/media-type.ts';
import { paged } from '../http/pagination.ts';
import { onRepository, type RepositoryCall, reads } from '../http/requirements.ts';
import { type Answer, parameter, type Route, route } from '../http/route.ts';
import { repositoryApi } from '../http/urls.ts';
import { notFound, unprocessable } from '../state/refusal.ts';
import type { Vendor } from '../vendor.ts';
import { showCommit, showGitCommit } from '../views/git-view.ts';
import { existingRefs } from './ref-routes.ts';

const address = '/repos/{owner}/{repo}';
const reading = reads('contents');

/** Commits, trees and blobs. */
export const gitDataRoutes: readonly Route[] = [
  route(`GET ${address}/git/trees/{tree_sha+}`, 'git/trees#get-a-tree', onRepository(reading, getTree)),
  route(
    `GET ${address}/git/commits/{commit_sha}`,
    'git/commits#get-a-commit-object',
    onRepository(reading, getGitCommit),
  ),
  route(`GET ${address}/git/blobs/{file_sha}`, 'git/blobs#get-a-blob', onRepository(reading, getBlob)),
  route(
    `GET ${address}/commits`,
    'commits/commits#list-commits',
    onRepository(reading, listRepositoryCommits),
  ),
  route(`GET ${address}/commits/{ref+}`, 'commits/commits#get-a-commit', onRepository(reading, getCommit)),
];

/** `recursive` counts by being there, whatever its value. */
async function getTree(call: RepositoryCall): Promise<Answer> {
  await existingRefs(call);
  const name = parameter(call, 'tree_sha');
  const directory = call.repository.gitDirectory;
  const tree = (await resolveCommit(call.git, directory, name)) ?? name;
  const sha = await call.git.tryRead(directory, ['rev-parse', '--verify', '--quiet', `${tree}^{tree}`]);
  const entries =
    sha &&
    (await listTree(call.git, directory, {
      tree: sha.toString().trim(),
      recursive: call.query.has('recursive'),
    }));
  if (!sha || !entries) throw notFound();
  const api = `${repositoryApi(call.urls, call.repository)}/git`;
  const { maxTreeEntries } = call.state;
  const body: Vendor['git-tree'] = {
    sha: tree,
    url: `${api}/trees/${tree}`,
    tree: entries.slice(0, maxTreeEntries).map((entry) => showEntry(entry, api)),
    truncated: entries.length > maxTreeEntries,
  };
  return ok(body);
}

function showEntry(entry: TreeEntry, api: string): Vendor['git-tree']['tree'][number] {
  const { path, mode, type, sha, size } = entry;
  const url = type === 'commit' ? {} : { url: `${api}/${type}s/${sha}` };
  return { path, mode, type, sha, ...(size === null ? {} : { size }), ...url };
}

async function getGitCommit(call: RepositoryCall): Promise<Answer> {
  await existingRefs(call);
  const commit = await readCommit(call.git, call.repository.gitDirectory, parameter(call, 'commit_sha'));
  if (!commit) throw notFound();
  return ok(showGitCommit(call.repository, commit, call.urls));
}

async function getBlob(call: RepositoryCall): Promise<Answer> {
  await existingRefs(call);
  const sha = parameter(call, 'file_sha');
  const isId = /^[0-9a-f]{40}$/.test(sha);
  const content = isId ? await readBlob(call.git, call.repository.gitDirectory, sha).catch(() => null) : null;
  if (!content) throw notFound();
  if (mediaTypeOf(call.headers) === 'raw') return rawText(content, 'application/vnd.github.raw');
  return ok({
    sha,
    url: `${repositoryApi(call.urls, call.repository)}/git/blobs/${sha}`,
    size: content.length,
    content: content.toString('base64'),
    encoding: 'base64',
  });
}

async function listRepositoryCommits(call: RepositoryCall): Promise<Answer> {
  await existingRefs(call);
  const directory = call.repository.gitDirectory;
  const range = await resolveCommit(
    call.git,
    directory,
    call.query.get('sha') || call.repository.defaultBranch,
  );
  if (!range) throw notFound();
  const path = call.query.get('path');
  const commits = await listCommits(call.git, directory, { range, ...(path ? { path } : {}) });
  return paged(call, commits, (commit) => showCommit(call.repository, commit, call.urls));
}

async function getCommit(call: RepositoryCall): Promise<Answer> {
  await existingRefs(call);
  const ref = parameter(call, 'ref');
  const sha = await resolveCommit(call.git, call.repository.gitDirectory, ref);
  const commit = sha && (await readCommit(call.git, call.repository.gitDirectory, sha));
  if (!commit) throw unprocessable(`No commit found for SHA: ${ref}`);
  return ok(showCommit(call.repository, commit, call.urls));
}
