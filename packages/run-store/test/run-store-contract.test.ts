import { describe, it } from 'vitest';
import { recordDamageContract, runStoreContract } from '../src/testing/index.ts';
import { createFileStoreFixture } from './file-store-fixture.ts';

describe('the store in files', () => {
  for (const { name, run } of runStoreContract({ create: createFileStoreFixture })) it(name, run);
  for (const { name, run } of recordDamageContract({ create: createFileStoreFixture })) it(name, run);
});
