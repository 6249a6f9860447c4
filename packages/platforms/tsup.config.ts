import { defineConfig } from 'tsup';
import { libraryPreset } from '../../tsup.preset.ts';

export default defineConfig(
  libraryPreset({
    index: 'src/index.ts',
    'comments/index': 'src/comments/index.ts',
    'credentials/index': 'src/credentials/index.ts',
    'custom/index': 'src/custom/index.ts',
    'examination/index': 'src/examination/index.ts',
    'github/index': 'src/github/index.ts',
    'gitlab/index': 'src/gitlab/index.ts',
    'memory/index': 'src/memory/index.ts',
    'sources/index': 'src/sources/index.ts',
    'testing/index': 'src/testing/index.ts',
    'webhooks/index': 'src/webhooks/index.ts',
  }),
);
