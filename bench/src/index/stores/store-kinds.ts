import type { TaskStoreKind } from './task-store.ts';

/** The ways that are compared; each is loaded when it is used, so that a process has the memory of its own only. */
export const storeKinds = {
  'one file per task': async () => (await import('./file-per-task.ts')).filePerTask,
  'one lowdb file': async () => (await import('./single-file.ts')).singleFile,
  'node:sqlite': async () => (await import('./sqlite.ts')).sqlite,
} as const satisfies Record<string, () => Promise<TaskStoreKind>>;

export type StoreName = keyof typeof storeKinds;
