import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { conditions: ['@agent/source'] },
  ssr: { resolve: { conditions: ['@agent/source'] } },
  test: {
    include: ['{packages,apps,examples,bench}/*/{src,test}/**/*.test.ts', 'scripts/**/*.test.ts'],
    environment: 'node',
    testTimeout: 30_000,
    restoreMocks: true,
  },
});
