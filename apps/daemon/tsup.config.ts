import { fileURLToPath } from 'node:url';
import { defineConfig } from 'tsup';
import { appPreset } from '../../tsup.preset.ts';

const text = new URL('../../packages/text/', import.meta.url);

/** A daemon that starts fast, with everything in it but the locks of the operating system. */
export default defineConfig(
  appPreset(
    {
      main: 'src/main.ts',
      // What runs in a worker: the one that cleans texts, the one that looks through a push, and what a pool starts, where the pool looks for it.
      'clean-texts': fileURLToPath(new URL('src/worker/clean-texts.ts', text)),
      'scan-patch-worker': fileURLToPath(new URL('src/outgoing/scan-patch-worker.ts', text)),
      'entry/worker': fileURLToPath(new URL('node_modules/tinypool/dist/entry/worker.js', text)),
    },
    {
      // A native addon finds its build beside itself, so that one package is installed with the daemon; what reaches a database, or
      // another vendor's model, is installed by those who use one.
      external: [
        ...['fs-native-extensions', 'pg', 'pg-boss'],
        ...['amazon-bedrock', 'anthropic', 'azure', 'google'].map((name) => `@ai-sdk/${name}`),
      ],
    },
  ),
);
