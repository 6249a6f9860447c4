import { describe, it } from 'vitest';
import { recordDamageContract, runStoreContract } from '../src/testing/index.ts';
import { createFileStoreFixture } from './file-store-fixture.ts';
import { createMemoryStoreFixture } from './memory-store-fixture.ts';

describe('the store in files', () => {
  for (const { name, run } of runStoreContract({ create: createFileStoreFixture })) it(name, run);
  for (const { name, run } of recordDamageContract({ create: createFileStoreFixture })) it(name, run);
});

describe('the store in memory', () => {
  for (const { name, run } of runStoreContract({ create: createMemoryStoreFixture })) it(name, run);
});
