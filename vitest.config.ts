import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { readPlanted } from './packages/simulators/src/trials/plant.ts';
import { plantedSources } from './packages/simulators/src/trials/planted-sources.ts';
import { CostlyFirst } from './scripts/test/costly-first.ts';
import { listTaggedFiles, type TestTag, testFiles } from './scripts/test/tagged-files.ts';
import { TellFlaky } from './scripts/test/tell-flaky.ts';

const isRelease = process.env.TEST_RELEASE === '1';
const isFull = isRelease || process.env.TEST_FULL === '1';
const leftOut: readonly TestTag[] = [
  ...(isFull ? [] : ['full' as const]),
  ...(isRelease ? [] : ['release' as const]),
];

export default defineConfig({
  plugins: [plantedSources()],
  // Tests run the sources: no build before, and a change in one package is seen by all.
  resolve: { conditions: ['@agent/source'] },
  ssr: { resolve: { conditions: ['@agent/source'] } },
  test: {
    include: [...testFiles],
    // Files that need more than a newcomer's machine may have, or more time than a change should take, are not even loaded.
    exclude: [...configDefaults.exclude, ...listTaggedFiles(leftOut)],
    tags: [
      { name: 'full', description: 'A test of `npm run test:full`, which `.ci/run` runs.' },
      { name: 'release', description: 'A test of `npm run test:release` alone.' },
    ],
    environment: 'node',
    // What was kept of a file does not have what is planted in it.
    fsModuleCache: readPlanted().length === 0,
    // More processes than there are cores: for half of its time a story waits for git, HTTP and a daemon's next poll, and `npm run
    // test:full` has many stories.
    pool: 'forks',
    maxWorkers: availableParallelism() + (isFull ? 4 : 2),
    // What one file has loaded serves the next: loading `ai` or Octokit costs more than most files.
    isolate: false,
    globalSetup: [
      'scripts/test/files-in-memory.ts',
      'apps/daemon/test/support/bundle-once.ts',
      'packages/simulators/src/postgres/shared-postgres.ts',
      ...(isFull ? ['packages/page/test/support/unpack-browser.ts'] : []),
    ],
    setupFiles: ['scripts/test/process-stays.ts', 'scripts/test/same-cases.ts'],
    sequence: { sequencer: CostlyFirst },
    reporters: ['default', new TellFlaky()],
    // Before a change lands, one of ten thousand tests may fail once; which one is told at the end. A fault fails twice.
    retry: isFull ? 1 : 0,
    // Bounds on what hangs, not on what is slow: a busy machine may take its time, and a poll says what it saw last before its test ends.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
    restoreMocks: true,
    env: {
      // The settings of whoever runs the tests (signing, hooks, names) must not decide what they find.
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_TERMINAL_PROMPT: '0',
      // Programs that tests start compile what they load once, not each time.
      NODE_COMPILE_CACHE: fileURLToPath(new URL('./node_modules/.cache/compiled', import.meta.url)),
    },
  },
});
