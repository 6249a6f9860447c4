import { fileURLToPath } from 'node:url';
import { defineConfig } from 'tsup';
import { appPreset } from '../../tsup.preset.ts';

const rehearsal = new URL('../../packages/rehearsal/', import.meta.url);

/** A bot that starts fast and installs without a dependency tree. */
export default defineConfig(
  appPreset(
    {
      main: 'src/main.ts',
      index: 'src/index.ts',
      // Preloaded into a bot that is rehearsed.
      'end-with-parent': fileURLToPath(new URL('src/end-with-parent.ts', rehearsal)),
    },
    // Optional parts of discord.js, which it looks for and does without.
    { external: ['zlib-sync', 'bufferutil', 'utf-8-validate', 'erlpack'] },
  ),
);
