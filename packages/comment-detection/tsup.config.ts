import { defineConfig } from 'tsup';
import { libraryPreset } from '../../tsup.preset.ts';

export default defineConfig(
  libraryPreset({
    index: 'src/index.ts',
    'config/index': 'src/config/index.ts',
    'ai-sdk/index': 'src/ai-sdk/index.ts',
    'prepare-step/index': 'src/prepare-step/index.ts',
  }),
);
