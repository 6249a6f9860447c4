import type { BranchSchema, CommitDiffSchema, CommitSchema, RepositoryTreeSchema } from '@gitbeaker/core';
import type { Commit } from '../../shared/git/commits.ts';
import type { FileChange } from '../../shared/git/diff.ts';
import type { TreeEntry } from '../../shared/git/trees.ts';
import { accessLevels, mayPush } from '../state/access.ts';
import type { Project, User } from '../state/model.ts';
import type { Vendor } from '../vendor.ts';
import type { Place } from './user-view.ts';

type ShownCommit = Vendor<CommitSchema>;

/** A commit. @see https://docs.gitlab.com/api/commits/ */
export function showCommit({ web }: Place, project: Project, commit: Commit): ShownCommit {
  const { sha, parents, author, committer, message } = commit;
  return {
    id: sha,
    short_id: sha.slice(0, 8),
    created_at: withOffset(committer.date),
    parent_ids: [...parents],
    title: message.split('\n')[0] ?? '',
    message,
    author_name: author.name,
    author_email: author.email,
    authored_date: withOffset(author.date),
    committer_name: committer.name,
    committer_email: committer.email,
    committed_date: withOffset(committer.date),
    web_url: `${web}/${project.path}/-/commit/${sha}`,
  };
}

/** A branch. @see https://docs.gitlab.com/api/branches/ */
export function showBranch(
  place: Place,
  project: Project,
  branch: { readonly name: string; readonly commit: Commit; readonly viewer: User | null },
): Vendor<BranchSchema, { readonly commit: ShownCommit }> {
  const { name, commit, viewer } = branch;
  const push = project.protectedBranches.get(name);
  return {
    name,
    merged: false,
    protected: push !== undefined,
    developers_can_push: push === accessLevels.developer,
    developers_can_merge: push === accessLevels.developer,
    can_push: viewer !== null && mayPush(place.state, project, { user: viewer, branch: name }),
    default: name === project.defaultBranch,
    web_url: `${place.web}/${project.path}/-/tree/${name}`,
    commit: showCommit(place, project, commit),
  };
}

/** An entry of a tree. */
export function showTreeEntry({ sha, type, path, mode }: TreeEntry): Vendor<RepositoryTreeSchema> {
  return { id: sha, name: path.split('/').at(-1) ?? path, type, path, mode };
}

/** Shows what changed in one file. */
export function showChange(
  change: FileChange,
): Vendor<
  CommitDiffSchema,
  { readonly generated_file: boolean; readonly collapsed: boolean; readonly too_large: boolean }
> {
  const { path, previousPath, status, patch } = change;
  return {
    diff: patch ? `${patch}\n` : '',
    new_path: path,
    old_path: previousPath ?? path,
    a_mode: status === 'added' ? '0' : '100644',
    b_mode: status === 'removed' ? '0' : '100644',
    new_file: status === 'added',
    renamed_file: status === 'renamed',
    deleted_file: status === 'removed',
    generated_file: false,
    collapsed: false,
    too_large: false,
  };
}

/** Dates from git have an offset and milliseconds. */
function withOffset(date: string): string {
  return date.replace(/Z$/, '.000+00:00');
}
