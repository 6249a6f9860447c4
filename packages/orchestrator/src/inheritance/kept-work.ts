import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { RunState } from '@agent/run-store';
import type { TaskWorkspace } from '@agent/workspace';
import { z } from 'zod';
import { formatCommitMessage } from '../report/change-request.ts';
import type { Run } from '../run/run.ts';

/** In the state of a run that was stopped: the files that it had changed, as it left them. */
export const keptWorkName = 'stopped_work.json';

/** More than people look through; the plan of a run that changed more is only referred to. */
const mostFiles = 5_000;

const keptWorkSchema = z.object({
  /** By path: SHA-256 of what stands there, in hexadecimal; null where the file is gone. */
  files: z.record(z.string(), z.string().nullable()),
});

/**
 * Commits what a run that was stopped has changed, in its worktree alone, and notes it: a later run that goes on with its plan
 * begins with that. Where it cannot be kept, the plan is only referred to, and the log says why.
 */
export async function keepStoppedWork(
  {
    facts,
    state,
    logger,
  }: Pick<Run, 'state' | 'logger'> & { readonly facts: Pick<Run['facts'], 'kind' | 'number'> },
  workspace: Pick<TaskWorkspace, 'path' | 'commitAll' | 'changedFiles'>,
): Promise<void> {
  try {
    await workspace.commitAll((paths) => formatCommitMessage(facts, paths));
    const changed = await workspace.changedFiles({ since: 'start' });
    if (changed.length > mostFiles) return;
    const paths = changed.map(({ path }) => path);
    await state.write(keptWorkName, { files: await hashFiles(workspace.path, paths) });
  } catch (error) {
    logger.warn({ err: error }, 'failed to record work of stopped run');
  }
}

/** Tells whether the work of a run that was stopped stands in a worktree as that run left it; null: neither has a repository. */
export async function hasStoppedWork(
  state: Pick<RunState, 'read'>,
  workspace: Pick<TaskWorkspace, 'path'> | null,
): Promise<boolean> {
  if (workspace === null) return true;
  const kept = keptWorkSchema.safeParse(await state.read(keptWorkName));
  if (!kept.success) return false;
  const { files } = kept.data;
  const found = await hashFiles(workspace.path, Object.keys(files));
  return Object.entries(files).every(([path, hash]) => found[path] === hash);
}

async function hashFiles(
  root: string,
  paths: readonly string[],
): Promise<Readonly<Record<string, string | null>>> {
  const hashes: Record<string, string | null> = Object.create(null);
  for (const path of paths) hashes[path] = await hashFile(join(root, path));
  return hashes;
}

/** A link counts as what it names: nothing outside the worktree is read. */
async function hashFile(path: string): Promise<string | null> {
  const status = await lstat(path).catch(() => null);
  if (status === null) return null;
  const hash = createHash('sha256');
  if (status.isFile()) await pipeline(createReadStream(path), hash);
  else hash.update(status.isSymbolicLink() ? `link ${await readlink(path)}` : 'no file');
  return hash.digest('hex');
}
