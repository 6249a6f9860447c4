import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenedWorkspace } from '../worktrees/task-workspace.ts';
import type { SnapshotStore } from '../worktrees/work-keeper.ts';
import type { GitWorkspacesOptions } from '../worktrees/workspaces-options.ts';
import type { WorkspaceBed } from './workspace-bed.ts';

/** Snapshots in this process, as a database would keep them: what goes in and out is JSON and bytes. */
export interface MemorySnapshots extends SnapshotStore {
  /** Uuids in the order in which something was kept. */
  readonly keeps: readonly string[];
  readonly kept: Map<string, { readonly about: string; readonly bundle: Uint8Array | null }>;
}

export function createMemorySnapshots(): MemorySnapshots {
  const kept: MemorySnapshots['kept'] = new Map();
  const keeps: string[] = [];
  return {
    keeps,
    kept,
    keep: async (uuid, { about, bundle }) => {
      keeps.push(uuid);
      kept.set(uuid, { about: JSON.stringify(about), bundle: bundle ?? kept.get(uuid)?.bundle ?? null });
    },
    read: async (uuid) => {
      const found = kept.get(uuid);
      return found === undefined ? null : { about: JSON.parse(found.about), bundle: found.bundle };
    },
  };
}

export interface OpenOnMachine extends Partial<GitWorkspacesOptions> {
  readonly snapshots: SnapshotStore;
}

/** Opens the bed's task as a machine does that has this directory of its own. */
export function openOn(
  bed: WorkspaceBed,
  machine: string,
  { snapshots, ...options }: OpenOnMachine,
): Promise<OpenedWorkspace> {
  const directory = join(bed.directory, machine);
  return bed.workspaces({ directory, ...options }).open(bed.task(), { snapshots });
}

/** All files and links below a directory, by their paths with one character for each byte. */
export async function listFiles(directory: string): Promise<Readonly<Record<string, string>>> {
  const files: Record<string, string> = {};
  const waiting = [''];
  for (let within = waiting.pop(); within !== undefined; within = waiting.pop()) {
    for (const name of await readdir(toPath(directory, within), { encoding: 'buffer' })) {
      const path = `${within}${name.toString('latin1')}`;
      const at = toPath(directory, path);
      const state = await lstat(at);
      if (state.isDirectory()) waiting.push(`${path}/`);
      else if (state.isSymbolicLink()) files[path] = `-> ${await readlink(at)}`;
      else if (path !== '.git')
        files[path] = `${(state.mode & 0o111) === 0 ? '' : 'x '}${await readFile(at, 'latin1')}`;
    }
  }
  return Object.fromEntries(Object.entries(files).sort());
}

function toPath(directory: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${directory}/`), Buffer.from(path, 'latin1')]);
}
