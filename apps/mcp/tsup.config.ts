import { defineConfig } from 'tsup';
import { appPreset } from '../../tsup.preset.ts';

/** A server that starts fast and installs without a dependency tree. */
export default defineConfig(appPreset({ main: 'src/main.ts' }));
