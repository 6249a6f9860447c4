import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CallOptions } from '@agent/platforms';
import { z } from 'zod';
import type { GitContext } from '../git/git-repository.ts';
import { snapshotPlace, type TaskPlace } from '../git/task-place.ts';
import type { WorkspaceTask } from '../git/workspace-task.ts';
import { dropSpecialFiles } from '../git/worktree-files.ts';
import { removeTree } from '../machine/directories.ts';
import { WorkspaceError } from '../workspace-error.ts';
import { prepareSnapshots } from './snapshot-index.ts';
import {
  type SnapshotOptions,
  type TakenSnapshot,
  takeSnapshot,
  type WorkContents,
} from './take-snapshot.ts';

/** A place that several machines share, for the work of runs that have not ended; by the run's uuid. */
export interface SnapshotStore {
  /** Replaces what is kept of a run. A bundle of null leaves the one that is there. */
  readonly keep: (
    uuid: string,
    snapshot: { readonly about: KeptAbout; readonly bundle: Uint8Array | null },
  ) => Promise<void>;
  /** Null for a run of which nothing is kept. */
  readonly read: (
    uuid: string,
  ) => Promise<{ readonly about: unknown; readonly bundle: Uint8Array | null } | null>;
}

const leftOutSchema = z.object({
  path: z.string(),
  why: z.enum(['large', 'repository', 'special', 'unreadable']),
});

const movedSchema = z.object({ leftOut: z.array(leftOutSchema).readonly(), missing: z.string().nullable() });

const aboutSchema = z.object({
  /** Name of the worktree that was looked at last: in it nothing is to be restored. */
  worktree: z.string(),
  /** State that the bundle holds; null for none. */
  state: z
    .object({
      tree: z.string(),
      head: z.string(),
      start: z.string(),
      commit: z.string(),
      bases: z.array(z.string()).readonly(),
      leftOut: z.array(leftOutSchema).readonly(),
    })
    .nullable(),
  /** Earlier work, done in other worktrees, that is not in this one; null where none was. */
  moved: movedSchema.nullable(),
  /** Why what was changed since is not in it; null where nothing is missing. */
  missing: z.string().nullable(),
});

type KeptAbout = z.infer<typeof aboutSchema>;

/** Work of a run as it was kept last. */
export type KeptWork = KeptAbout & { readonly bundle: Uint8Array | null };

/** Work that was done in another worktree, on another machine: what of it is not here. */
export type MovedWork = z.infer<typeof movedSchema>;

export interface OpenedWorktree {
  readonly state: 'created' | 'reused' | 'restored';
  /** Null where no other worktree was worked on before this one. */
  readonly moved: MovedWork | null;
}

/** Reads what is kept of a run; null for nothing. A snapshot that cannot be read is work that is missing. */
export async function readKeptWork(
  snapshots: SnapshotStore | null,
  uuid: string | null,
): Promise<KeptWork | null> {
  const kept = uuid === null ? null : await snapshots?.read(uuid);
  if (!kept) return null;
  const { success, data } = aboutSchema.safeParse(kept.about);
  if (success) return { ...data, bundle: kept.bundle };
  const missing = 'its snapshot cannot be read';
  return { worktree: '', state: null, moved: null, missing, bundle: null };
}

/** Reads the name of a worktree; null for one that has none yet. */
export async function readWorktreeName(place: TaskPlace): Promise<string | null> {
  return readFile(namePath(place), 'utf8').catch(() => null);
}

function namePath(place: TaskPlace): string {
  return join(snapshotPlace(place).gitDirectory, 'worktree');
}

async function ensureName(place: TaskPlace, name: string = randomUUID()): Promise<string> {
  const known = await readWorktreeName(place);
  if (known !== null) return known;
  await mkdir(snapshotPlace(place).gitDirectory, { recursive: true, mode: 0o700 });
  await writeFile(namePath(place), name);
  return name;
}

/** Keeper of the work on one worktree. */
export interface WorkKeeper {
  /** Name of the worktree, which no other one has. */
  readonly worktree: string;
  readonly keep: KeepWork;
}

/** Keeps the work as it is now; does nothing when it is as at the last time. Rejects with what the store does. */
export type KeepWork = (options?: CallOptions) => Promise<void>;

export interface WorkKeeperOptions extends CallOptions {
  readonly task: WorkspaceTask;
  readonly place: TaskPlace;
  readonly snapshots: SnapshotStore;
  /** Work that is kept already; null for none. */
  readonly kept: KeptWork | null;
  readonly opened: OpenedWorktree;
  /** The largest bundle that is kept, in bytes. */
  readonly maxBytes: number;
}

/** Longest time for one command of git that looks through a worktree or reads what changed there, in milliseconds. */
const longestLookMs = 60_000;

/**
 * Opens what keeps the work on a worktree where other machines find it. Where they would not find this worktree's, it is kept at
 * once. Work that no snapshot can be taken of is said to be missing, so that nobody goes on with older files unknowingly.
 */
export async function openWorkKeeper(
  context: GitContext,
  { task, place, snapshots, kept, opened, maxBytes, signal: opening }: WorkKeeperOptions,
): Promise<WorkKeeper> {
  const worktree = await ensureName(place);
  const looking = { ...context, timeoutMs: Math.min(context.timeoutMs, longestLookMs) };
  const { state: how, moved } = opened;
  let stored = kept === null ? null : withoutBundle(kept);
  await prepareSnapshots(looking, { place, isFresh: how === 'created', signal: opening });

  let indexed: WorkContents | null = null;

  const write = async (about: KeptAbout, bundle: Uint8Array | null) => {
    await snapshots.keep(task.uuid, { about, bundle });
    stored = about;
  };
  const note = async (taken: Exclude<Taken, Unchanged>): Promise<void> => {
    const since = stored?.worktree === worktree ? stored : null;
    if (taken.kind === 'taken')
      return write({ worktree, moved, state: taken.state, missing: null }, taken.bundle);
    const missing = taken.kind === 'missing' ? taken.reason : null;
    if (since?.missing === missing) return;
    if (missing !== null)
      context.logger?.warn({ run: task.uuid, missing }, 'skipped saving work for other machines');
    await write({ worktree, moved, state: stored?.state ?? null, missing }, null);
  };
  const keep: KeepWork = async ({ signal } = {}) => {
    const since = stored?.worktree === worktree ? stored.state : null;
    const known = indexed;
    // Until its result is kept nobody may rely on what the index holds.
    indexed = null;
    const taken = await takeOrExplain(looking, { task, place, since, indexed: known, maxBytes, signal });
    if (taken.kind !== 'unchanged') await note(taken);
    indexed = taken.kind === 'unchanged' ? known : taken.state;
  };
  if (kept?.worktree !== worktree) await keep({ signal: opening });
  return { worktree, keep };
}

function withoutBundle({ bundle: _, ...about }: KeptWork): KeptAbout {
  return about;
}

type Unchanged = Extract<TakenSnapshot, { readonly kind: 'unchanged' }>;

/** `missing`: no snapshot can be taken, and why; what the worktree holds is null where it could not be looked at. */
type Taken =
  | Exclude<TakenSnapshot, { readonly kind: 'too-large' }>
  | { readonly kind: 'missing'; readonly reason: string; readonly state: WorkContents | null };

async function takeOrExplain(context: GitContext, options: SnapshotOptions): Promise<Taken> {
  const { maxBytes } = options;
  try {
    const taken = await takeSnapshot(context, options).catch((error: unknown) =>
      takeAnew(context, options, error),
    );
    if (taken.kind !== 'too-large') return taken;
    const [bytes, most] = [taken.bytes, maxBytes].map(toMegabytes);
    const reason = `it takes ${bytes} MB, and at most ${most} MB are kept`;
    return { kind: 'missing', reason, state: taken.state };
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    return { kind: 'missing', reason: error.message, state: null };
  }
}

const toMegabytes = (bytes: number) => Math.ceil(bytes / 1024 / 1024);

/** Tries once more without what git waits for (pipes under names of its rules), and without what a dead process half wrote. */
async function takeAnew(
  context: GitContext,
  options: SnapshotOptions,
  error: unknown,
): Promise<TakenSnapshot> {
  if (!(error instanceof WorkspaceError) || error.code !== 'git-failed') throw error;
  const { place, signal } = options;
  await dropSpecialFiles(context, place);
  for (const name of ['index', 'index.lock', 'refs'])
    await removeTree(join(snapshotPlace(place).gitDirectory, name));
  await prepareSnapshots(context, { place, isFresh: false, signal });
  return takeSnapshot(context, { ...options, indexed: null });
}
