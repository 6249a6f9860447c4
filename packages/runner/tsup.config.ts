import { defineConfig } from 'tsup';
import { libraryPreset } from '../../tsup.preset.ts';

export default defineConfig(
  libraryPreset({
    index: 'src/index.ts',
    'reply/index': 'src/reply/index.ts',
    'models/index': 'src/models/index.ts',
    'models/model-settings': 'src/models/model-settings.ts',
    'executors/index': 'src/executors/index.ts',
    'executors/executor-settings': 'src/executors/executor-settings.ts',
    'planning/index': 'src/planning/index.ts',
    'planning/settings': 'src/planning/settings.ts',
  }),
);
