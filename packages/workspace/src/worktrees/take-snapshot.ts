import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CallOptions } from '@agent/platforms';
import { type Changes, findChanges, type LeftOut, toBytes } from '../git/find-changes.ts';
import { type GitContext, git, tipOf, tipsOf } from '../git/git-repository.ts';
import { remoteRef, startRef } from '../git/mirror.ts';
import { snapshotPlace, type TaskPlace } from '../git/task-place.ts';
import type { WorkspaceTask } from '../git/workspace-task.ts';
import { WorkspaceError } from '../workspace-error.ts';

/** Contents of a worktree, by the names that git has for them. */
export interface WorkContents {
  /** The tree of its files: modes, links and new files included, ignored ones not. */
  readonly tree: string;
  /** The branch's last commit. */
  readonly head: string;
  readonly leftOut: readonly LeftOut[];
}

/** State of a worktree that can be restored. */
export interface WorkState extends WorkContents {
  /** The commit at which the run began. */
  readonly start: string;
  /** The commit that holds the tree, on top of the branch's. */
  readonly commit: string;
  /** Commits of the server that the bundle rests on. */
  readonly bases: readonly string[];
}

/** `unchanged`: since the last look of this process; `kept`: it is as it is kept; `too-large`: the size of the bundle in bytes. */
export type TakenSnapshot =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'kept'; readonly state: WorkContents }
  | { readonly kind: 'taken'; readonly state: WorkState; readonly bundle: Uint8Array }
  | { readonly kind: 'too-large'; readonly state: WorkContents; readonly bytes: number };

export interface SnapshotOptions extends CallOptions {
  readonly task: WorkspaceTask;
  readonly place: TaskPlace;
  /** The last one that is kept; null for none. */
  readonly since: WorkState | null;
  /**
   * Contents that the index of snapshots holds, and whose result is kept. Null where nobody knows: a process may have died after it
   * had brought the index up to date, and before it kept anything.
   */
  readonly indexed: WorkContents | null;
  /** A larger bundle is not made; a file of more than a fifth of it is left out. In bytes. */
  readonly maxBytes: number;
}

/**
 * Takes what a worktree has that the server lacks, as one bundle of git: commits, files as they are, new ones and modes. Neither
 * the worktree nor its index is touched.
 *
 * @returns `unchanged` costs one look at the worktree
 * @throws WorkspaceError
 */
export async function takeSnapshot(context: GitContext, options: SnapshotOptions): Promise<TakenSnapshot> {
  const { task, place, since, indexed, maxBytes, signal } = options;
  const maxFileBytes = Math.floor(maxBytes / 5);
  const changes = await findChanges(context, { place: snapshotPlace(place), maxFileBytes, signal });
  const { leftOut } = changes;
  const head = await readHead(context, options);
  const isAs = (contents: WorkContents | null): boolean =>
    contents?.head === head && JSON.stringify(contents.leftOut) === JSON.stringify(leftOut);
  if (isAs(indexed) && changes.gone.length + changes.there.length === 0) return { kind: 'unchanged' };
  const tree = await writeTree(context, { place, changes, signal });
  const contents = { tree, head, leftOut };
  if (isAs(since) && since?.tree === tree) return { kind: 'kept', state: contents };
  const refs = [startRef(task.uuid), remoteRef(task.branch), remoteRef(task.baseBranch)];
  const [start = null, ...others] = await tipsOf(context, place, { refs, signal });
  if (start === null) throw vanished(refs[0]);
  const bases = [...new Set([start, ...others].filter((sha) => sha !== null))];
  const commit = await commitTree(context, { place, tree, head, signal });
  const { bytes, bundle } = await makeBundle(context, { place, bases, maxBytes, signal });
  if (bundle === null) return { kind: 'too-large', state: contents, bytes };
  return { kind: 'taken', state: { ...contents, start, commit, bases }, bundle };
}

/** Reads the branch's tip, as a rule without a process of git. */
async function readHead(
  context: GitContext,
  { place, signal }: { readonly place: TaskPlace } & CallOptions,
): Promise<string> {
  const ref = `refs/heads/${place.branch}`;
  const loose = await readFile(join(place.commonDirectory, ref), 'utf8').catch(() => '');
  if (/^[0-9a-f]{40,64}\n$/.test(loose)) return loose.trim();
  const head = await tipOf(context, place, { ref, signal });
  if (head === null) throw vanished(ref);
  return head;
}

function vanished(ref = ''): WorkspaceError {
  return new WorkspaceError(`${ref} vanished from the repository's copy.`, { code: 'git-failed' });
}

interface InPlace extends CallOptions {
  readonly place: TaskPlace;
}

/** Brings the index of snapshots to what stands in the worktree. */
async function writeTree(
  context: GitContext,
  { place, changes, signal }: InPlace & { readonly changes: Changes },
): Promise<string> {
  const snapshots = snapshotPlace(place);
  const { gone, there } = changes;
  const update = (how: readonly string[], paths: readonly string[]) =>
    git(context, snapshots, {
      args: ['update-index', ...how, '-z', '--stdin'],
      input: toBytes(paths.map((path) => `${path}\0`).join('')),
      doing: 'Collecting the changes for a snapshot',
      signal,
    });
  if (gone.length > 0) await update(['--force-remove'], gone);
  // A file that vanishes meanwhile is removed.
  if (there.length > 0) await update(['--add', '--replace', '--remove'], there);
  const written = await git(context, snapshots, {
    args: ['write-tree'],
    doing: 'Writing a snapshot',
    signal,
  });
  return written.stdout.trim();
}

const snapshotRef = 'refs/heads/work';

async function commitTree(
  context: GitContext,
  { place, tree, head, signal }: InPlace & { readonly tree: string; readonly head: string },
): Promise<string> {
  const snapshots = snapshotPlace(place);
  const doing = 'Writing a snapshot';
  const args = ['commit-tree', tree, '-p', head, '-m', 'Work of a run that has not ended'];
  const { stdout } = await git(context, snapshots, { args, doing, signal });
  const commit = stdout.trim();
  await git(context, snapshots, { args: ['update-ref', snapshotRef, commit], doing, signal });
  return commit;
}

async function makeBundle(
  context: GitContext,
  { place, bases, maxBytes, signal }: InPlace & Pick<WorkState, 'bases'> & Pick<SnapshotOptions, 'maxBytes'>,
): Promise<{ readonly bytes: number; readonly bundle: Uint8Array | null }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  await git(context, snapshotPlace(place), {
    args: ['bundle', 'create', '--quiet', '-', snapshotRef, ...bases.map((sha) => `^${sha}`)],
    doing: 'Bundling a snapshot',
    onOutput: (chunk) => {
      bytes += chunk.length;
      if (bytes <= maxBytes) chunks.push(chunk);
    },
    signal,
  });
  return { bytes, bundle: bytes <= maxBytes ? Buffer.concat(chunks) : null };
}
