import { defineConfig } from 'tsup';
import { libraryPreset } from '../../tsup.preset.ts';

export default defineConfig({
  ...libraryPreset({
    index: 'src/index.ts',
    'acp/index': 'src/acp/index.ts',
    'acp/main': 'src/acp/main.ts',
    'cli/main': 'src/cli/main.ts',
    'demo/index': 'src/demo/index.ts',
    'discord/index': 'src/discord/index.ts',
    'github/index': 'src/github/index.ts',
    'gitlab/index': 'src/gitlab/index.ts',
    'lm-studio/index': 'src/lm-studio/index.ts',
    'mcp/index': 'src/mcp/index.ts',
    'model/index': 'src/model/index.ts',
    'vitest/index': 'src/vitest/index.ts',
  }),
  // Shared code lies as deep as the folders of the entries, so that `../acp/main.js` is right from wherever it is said.
  esbuildOptions: (options) => {
    options.chunkNames = 'shared/[name]-[hash]';
  },
});
