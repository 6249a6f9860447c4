import { join } from 'node:path';
import { ContextStoreError } from '../context-store-error.ts';
import { listNames } from '../file/list-run-directories.ts';
import { isUuid } from '../file/run-directory.ts';
import { translated } from '../file/run-errors.ts';
import { toRunPlaces } from '../file/run-places.ts';
import { readEarlierTasks } from './earlier-tasks.ts';
import { migrateRun } from './migrate-run.ts';
import type { MigratedRun, MigrateOptions } from './migration-model.ts';

/**
 * Gives directories of the earlier program what this one needs to find and inherit from them: `metadata.json` with the
 * key's hash (the one before stays beside it), and an outcome where `tasks.db` knows it. One directory after the other,
 * each whole or not at all; safe to repeat. The index is the caller's to build afterwards. With `apply` only the owner
 * of the directory may call this.
 * @see seed 002 §11.1, decision C21
 */
export async function* migrateRuns(options: MigrateOptions): AsyncGenerator<MigratedRun> {
  const places = toRunPlaces(options);
  const path = join(options.baseDirectory, 'tasks.db');
  const tasks = await readEarlierTasks(path).catch((cause: unknown) => {
    const message = `"${path}" cannot be read. Move it away to have the status of its runs concluded from their summaries.`;
    throw new ContextStoreError(message, { code: 'damaged', cause });
  });
  for (const place of ['running', 'paused', 'completed'] as const) {
    const names = await translated(listNames(places[place]), `list "${places[place]}"`);
    for (const uuid of names.filter(isUuid).sort()) {
      const directory = join(places[place], uuid);
      yield await migrateRun(directory, {
        ...options,
        task: tasks.get(uuid) ?? null,
        hasEnded: place === 'completed',
      });
    }
  }
}
