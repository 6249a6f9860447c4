import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Tests run the sources: no build before, and a change in one package is seen by all.
  resolve: { conditions: ['@agent/source'] },
  ssr: { resolve: { conditions: ['@agent/source'] } },
  test: {
    include: ['{packages,apps,examples}/*/{src,test}/**/*.test.ts', '{bench,scripts}/**/*.test.ts'],
    environment: 'node',
    // Processes, so that a test may change its own; many of them wait for git and HTTP, so every core gets one.
    pool: 'forks',
    maxWorkers: '100%',
    reporters: ['default'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    restoreMocks: true,
    // The settings of whoever runs the tests (signing, hooks, names) must not decide what they find.
    env: { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0' },
  },
});
