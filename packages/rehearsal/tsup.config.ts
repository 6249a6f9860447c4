import { defineConfig } from 'tsup';
import { libraryPreset } from '../../tsup.preset.ts';

export default defineConfig(
  libraryPreset({
    index: 'src/index.ts',
    'repository/index': 'src/repository/index.ts',
    'shapes/index': 'src/shapes/index.ts',
    // Preloaded into a process that is rehearsed, from beside the module that names it.
    'end-with-parent': 'src/end-with-parent.ts',
    'shapes/record-fetch': 'src/shapes/record-fetch.ts',
  }),
);
