import { defineConfig } from 'tsup';
import { libraryPreset } from '../../tsup.preset.ts';

export default defineConfig(
  libraryPreset({
    index: 'src/index.ts',
    'inheritance/index': 'src/inheritance/index.ts',
    'migration/index': 'src/migration/index.ts',
    'planning-history/index': 'src/planning-history/index.ts',
    'secrets/index': 'src/secrets/index.ts',
    'task-index/index': 'src/task-index/index.ts',
  }),
);
