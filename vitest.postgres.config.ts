import { defineConfig } from 'vitest/config';
import {
  storiesOnPostgres,
  storiesOnPostgresInRelease,
} from './apps/daemon/test/support/stories-on-postgres.ts';
import base from './vitest.config.ts';

const stories =
  process.env.TEST_RELEASE === '1'
    ? [...storiesOnPostgres, ...storiesOnPostgresInRelease]
    : storiesOnPostgres;

/** Stories of the daemon once more, with their runs in a real PostgreSQL. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: stories.map((name) => `apps/daemon/test/e2e/${name}.test.ts`),
    exclude: [],
    env: { ...base.test?.env, AGENT_TEST_STORAGE: 'postgres' },
    // What a killed process had is free 10 to 16 seconds later there; on a machine that is busy with much else a story takes minutes.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
