import { defineConfig } from 'tsup';
import { libraryPreset } from '../../tsup.preset.ts';

export default defineConfig(libraryPreset({ index: 'src/index.ts', 'config/index': 'src/config/index.ts' }));
