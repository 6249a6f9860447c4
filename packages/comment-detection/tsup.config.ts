import { defineConfig } from 'tsup';
import { libraryPreset } from '../../tsup.preset.ts';

export default defineConfig(
  libraryPreset({
    index: 'src/index.ts',
    'config-schema': 'src/config-schema.ts',
    'ai-sdk/index': 'src/ai-sdk/index.ts',
    'mailbox/index': 'src/mailbox/index.ts',
    'plain/index': 'src/plain/index.ts',
    'prepare-step/index': 'src/prepare-step/index.ts',
    'sources/index': 'src/sources/index.ts',
  }),
);
