import type { Commit } from '../../shared/git/commits.ts';
import type { FileChange } from '../../shared/git/diff.ts';
import type { Ref } from '../../shared/git/refs.ts';
import { repositoryApi, repositoryPage, type Urls } from '../http/urls.ts';
import type { Repository } from '../state/model.ts';
import { nodeId } from '../state/node-id.ts';
import type { Vendor } from '../vendor.ts';

const unsigned = { verified: false, reason: 'unsigned', signature: null, payload: null, verified_at: null };

/** A branch, a tag, or any other ref. */
export function showRef(repository: Repository, ref: Ref, urls: Urls): Vendor['git-ref'] {
  const api = `${repositoryApi(urls, repository)}/git`;
  return {
    ref: ref.name,
    node_id: nodeId('Ref', `${repository.id}:${ref.name}`),
    url: `${api}/${ref.name}`,
    object: { sha: ref.sha, type: ref.type, url: `${api}/${ref.type}s/${ref.sha}` },
  };
}

/** A commit as git sees it. */
export function showGitCommit(repository: Repository, commit: Commit, urls: Urls): Vendor['git-commit'] {
  const api = `${repositoryApi(urls, repository)}/git`;
  const page = `${repositoryPage(urls, repository)}/commit`;
  return {
    sha: commit.sha,
    node_id: nodeId('Commit', `${repository.id}:${commit.sha}`),
    url: `${api}/commits/${commit.sha}`,
    html_url: `${page}/${commit.sha}`,
    author: commit.author,
    committer: commit.committer,
    tree: { sha: commit.tree, url: `${api}/trees/${commit.tree}` },
    message: commit.message,
    parents: commit.parents.map((sha) => ({ sha, url: `${api}/commits/${sha}`, html_url: `${page}/${sha}` })),
    verification: unsigned,
  };
}

/** A commit as the repository shows it. Its e-mail addresses belong to no account here. */
export function showCommit(repository: Repository, commit: Commit, urls: Urls): Vendor['commit'] {
  const api = repositoryApi(urls, repository);
  const page = `${repositoryPage(urls, repository)}/commit`;
  return {
    sha: commit.sha,
    node_id: nodeId('Commit', `${repository.id}:${commit.sha}`),
    commit: {
      author: commit.author,
      committer: commit.committer,
      message: commit.message,
      tree: { sha: commit.tree, url: `${api}/git/trees/${commit.tree}` },
      url: `${api}/git/commits/${commit.sha}`,
      comment_count: 0,
      verification: unsigned,
    },
    url: `${api}/commits/${commit.sha}`,
    html_url: `${page}/${commit.sha}`,
    comments_url: `${api}/commits/${commit.sha}/comments`,
    author: null,
    committer: null,
    parents: commit.parents.map((sha) => ({ sha, url: `${api}/commits/${sha}`, html_url: `${page}/${sha}` })),
  };
}

/** Shows what changed in one file up to a commit. */
export function showChange(
  repository: Repository,
  change: FileChange,
  options: { readonly urls: Urls; readonly commit: string },
): Vendor['diff-entry'] {
  const { urls, commit } = options;
  const path = change.path.split('/').map(encodeURIComponent).join('/');
  const page = repositoryPage(urls, repository);
  return {
    sha: change.sha,
    filename: change.path,
    status: change.status,
    additions: change.additions,
    deletions: change.deletions,
    changes: change.additions + change.deletions,
    blob_url: `${page}/blob/${commit}/${path}`,
    raw_url: `${page}/raw/${commit}/${path}`,
    contents_url: `${repositoryApi(urls, repository)}/contents/${path}?ref=${commit}`,
    ...(change.patch === null ? {} : { patch: change.patch }),
    ...(change.previousPath === null ? {} : { previous_filename: change.previousPath }),
  };
}
