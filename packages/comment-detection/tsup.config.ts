import { defineConfig } from 'tsup';
import { libraryPreset } from '../../tsup.preset.ts';

export default defineConfig(
  libraryPreset({
    index: 'src/index.ts',
    config: 'src/config/index.ts',
    'ai-sdk': 'src/ai-sdk/index.ts',
    'prepare-step': 'src/prepare-step/index.ts',
  }),
);
