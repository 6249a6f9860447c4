import { defineConfig } from 'tsup';
import { libraryPreset } from '../../tsup.preset.ts';

export default defineConfig(
  libraryPreset({
    index: 'src/index.ts',
    'carried/index': 'src/carried/index.ts',
    'driver/index': 'src/driver/index.ts',
    'file/index': 'src/file/index.ts',
    'migration/index': 'src/migration/index.ts',
    'postgres/index': 'src/postgres/index.ts',
    'testing/index': 'src/testing/index.ts',
  }),
);
