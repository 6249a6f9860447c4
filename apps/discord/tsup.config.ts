import { defineConfig } from 'tsup';
import { appPreset } from '../../tsup.preset.ts';

/** A bot that starts fast and installs without a dependency tree. */
export default defineConfig(
  appPreset(
    { main: 'src/main.ts', index: 'src/index.ts' },
    // Optional parts of discord.js, which it looks for and does without.
    { external: ['zlib-sync', 'bufferutil', 'utf-8-validate', 'erlpack'] },
  ),
);
