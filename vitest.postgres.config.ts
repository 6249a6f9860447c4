import { defineConfig } from 'vitest/config';
import { storiesOnPostgres } from './apps/daemon/test/support/stories-on-postgres.ts';
import base from './vitest.config.ts';

/** Stories of the daemon once more, with their runs in a real PostgreSQL. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: storiesOnPostgres.map((name) => `apps/daemon/test/e2e/${name}.test.ts`),
    exclude: [],
    env: { ...base.test?.env, AGENT_TEST_STORAGE: 'postgres' },
    // What a killed process had is free 10 to 16 seconds later there; on a machine that is busy with much else a story takes minutes.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
