import { defineConfig } from 'tsup';
import { libraryPreset } from '../../tsup.preset.ts';

export default defineConfig(
  libraryPreset({
    index: 'src/index.ts',
    'config/index': 'src/config/index.ts',
    'desk/index': 'src/desk/index.ts',
    'parts/index': 'src/parts/index.ts',
    'people/index': 'src/people/index.ts',
    'platforms/index': 'src/platforms/index.ts',
    'platforms/names': 'src/platforms/names.ts',
    'run/index': 'src/run/index.ts',
    'telemetry/index': 'src/telemetry/index.ts',
    'testing/index': 'src/testing/index.ts',
    'watch/index': 'src/watch/index.ts',
  }),
);
