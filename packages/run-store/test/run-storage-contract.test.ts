import { describe, it } from 'vitest';
import { createFileStorage } from '../src/file/file-storage.ts';
import {
  createMemoryPlace,
  createMemoryStorage,
  makeDirectory,
  runStorageContract,
} from '../src/testing/index.ts';

describe('the storage in files', () => {
  const create = async ({ now }: { readonly now: () => number }) => {
    const { path: baseDirectory, remove } = await makeDirectory();
    return { open: async () => createFileStorage({ baseDirectory, now }), close: remove };
  };
  for (const { name, run } of runStorageContract({ create })) it(name, run);
});

describe('the storage in memory', () => {
  const create = async ({ now }: { readonly now: () => number }) => {
    const place = createMemoryPlace();
    return { open: async () => createMemoryStorage({ place, now }), close: async () => {} };
  };
  for (const { name, run } of runStorageContract({ create })) it(name, run);
});
