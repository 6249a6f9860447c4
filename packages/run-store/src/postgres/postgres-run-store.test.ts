import { beforeAll, describe, it } from 'vitest';
import { toStoreTests } from '../../test/postgres-setup.ts';
import { connectTestServer, openTestPglite, startTimeoutMs } from '../../test/test-databases.ts';

describe('a store in PGlite', () => {
  beforeAll(() => openTestPglite().then(({ close }) => close()), startTimeoutMs);
  for (const { name, run } of toStoreTests(openTestPglite)) it(name, run);
});

describe('a store in a real server', () => {
  beforeAll(() => connectTestServer().then(({ close }) => close()), startTimeoutMs);
  // What is written, kept and owned; the rest is in the full tests.
  const chosen = toStoreTests(connectTestServer).filter(({ name }) => /NX-8[0-4]/.test(name));
  for (const { name, run } of chosen) it(name, run);
});
