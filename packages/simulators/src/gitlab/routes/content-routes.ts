import { createHash } from 'node:crypto';
import { z } from 'zod';
import { listCommits } from '../../shared/git/commits.ts';
import { resolveCommit } from '../../shared/git/refs.ts';
import { findEntry, listTree, readBlob, type TreeEntry } from '../../shared/git/trees.ts';
import { boolean, filled, inputOf } from '../http/input.ts';
import { paged, pagedByToken, wantsKeyset } from '../http/pagination.ts';
import { onCode, type ProjectCall } from '../http/requirements.ts';
import { type Answer, ok, parameter, type Route, route } from '../http/route.ts';
import { notFound } from '../state/refusal.ts';
import { showTreeEntry } from '../views/git-view.ts';

const repository = '/projects/{id}/repository';

/** Files and folders. A file's path is one part of the address, encoded. @see https://docs.gitlab.com/api/repository_files/ */
export const contentRoutes: readonly Route[] = [
  route(`GET ${repository}/tree`, onCode(getTree)),
  route(`GET ${repository}/files/{path}`, onCode(getFile)),
  route(`GET ${repository}/files/{path}/raw`, onCode(getRawFile)),
];

const treeInput = z.object({
  ref: z.string().optional(),
  path: z.string().default(''),
  recursive: boolean.default(false),
});
const fileInput = z.object({ ref: filled });
const rawInput = z.object({ ref: filled.optional() });
const order: Readonly<Record<TreeEntry['type'], number>> = { tree: 0, blob: 1, commit: 2 };

/** Folders come before files. 404 in an empty repository. */
async function getTree(call: ProjectCall): Promise<Answer> {
  const { ref = call.project.defaultBranch, path, recursive } = inputOf(call, treeInput);
  const { git, project } = call;
  const commit = await resolveCommit(git, project.gitDirectory, ref);
  if (!commit) throw notFound('Tree');
  const prefix = path.replace(/^\/+|\/+$/g, '');
  const root = await findEntry(git, project.gitDirectory, { commit, path: prefix });
  if (root?.type !== 'tree') throw notFound('invalid revision or path');
  const entries = (await listTree(git, project.gitDirectory, { tree: root.sha, recursive })) ?? [];
  const sorted = entries
    .map((entry) => ({ ...entry, path: prefix ? `${prefix}/${entry.path}` : entry.path }))
    .sort((one, other) => order[one.type] - order[other.type]);
  if (wantsKeyset(call))
    return pagedByToken(call, sorted, { show: showTreeEntry, tokenOf: ({ sha }) => sha });
  return paged(call, sorted, { show: showTreeEntry });
}

async function getFile(call: ProjectCall): Promise<Answer> {
  const { ref } = inputOf(call, fileInput);
  const { path, commit, blob, content } = await findFile(call, ref);
  const { git, project } = call;
  const [last] = await listCommits(git, project.gitDirectory, { range: commit, limit: 1, path });
  return ok({
    file_name: path.split('/').at(-1) ?? path,
    file_path: path,
    size: content.length,
    encoding: 'base64',
    content_sha256: createHash('sha256').update(content).digest('hex'),
    ref,
    blob_id: blob.sha,
    commit_id: commit,
    last_commit_id: last?.sha ?? commit,
    execute_filemode: blob.mode === '100755',
    content: content.toString('base64'),
  });
}

async function getRawFile(call: ProjectCall): Promise<Answer> {
  const { ref = call.project.defaultBranch } = inputOf(call, rawInput);
  const { path, content } = await findFile(call, ref);
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'x-gitlab-file-path': encodeURI(path) };
  return { status: 200, raw: content, headers };
}

async function findFile(call: ProjectCall, ref: string) {
  const { git, project } = call;
  const path = parameter(call, 'path');
  const commit = await resolveCommit(git, project.gitDirectory, ref === 'HEAD' ? project.defaultBranch : ref);
  if (!commit) throw notFound('Commit');
  const blob = await findEntry(git, project.gitDirectory, { commit, path });
  if (blob?.type !== 'blob') throw notFound('File');
  return { path, commit, blob, content: await readBlob(git, project.gitDirectory, blob.sha) };
}
