import { defineConfig } from 'tsup';
import { libraryPreset } from '../../tsup.preset.ts';

export default defineConfig(
  libraryPreset({
    index: 'src/index.ts',
    'config/index': 'src/config/index.ts',
    'parts/index': 'src/parts/index.ts',
    'run/index': 'src/run/index.ts',
    'testing/index': 'src/testing/index.ts',
  }),
);
