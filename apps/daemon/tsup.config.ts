import { fileURLToPath } from 'node:url';
import { defineConfig } from 'tsup';
import { appPreset } from '../../tsup.preset.ts';

const text = new URL('../../packages/text/', import.meta.url);
const rehearsal = new URL('../../packages/rehearsal/', import.meta.url);

/** A daemon that starts fast, with everything in it but the locks of the operating system. */
export default defineConfig(
  appPreset(
    {
      main: 'src/main.ts',
      // Preloaded into a daemon that is rehearsed.
      'end-with-parent': fileURLToPath(new URL('src/end-with-parent.ts', rehearsal)),
      'record-fetch': fileURLToPath(new URL('src/shapes/record-fetch.ts', rehearsal)),
      // Workers clean texts and scan pushes. The pool looks for its own program under this name.
      'clean-texts': fileURLToPath(new URL('src/worker/clean-texts.ts', text)),
      'scan-patch-worker': fileURLToPath(new URL('src/outgoing/scan-patch-worker.ts', text)),
      'entry/worker': fileURLToPath(new URL('node_modules/tinypool/dist/entry/worker.js', text)),
    },
    {
      // A native addon finds its build beside itself. Packages for a database or another vendor's model are installed by their users.
      external: [
        ...['fs-native-extensions', 'pg', 'pg-boss'],
        ...['amazon-bedrock', 'anthropic', 'azure', 'google'].map((name) => `@ai-sdk/${name}`),
      ],
    },
  ),
);
