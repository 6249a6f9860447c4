import { fileURLToPath } from 'node:url';
import { defineConfig } from 'tsup';

const text = new URL('../../packages/text/', import.meta.url);

/** One bundle with everything in it but the locks of the operating system: a daemon that starts fast. */
export default defineConfig({
  entry: {
    main: 'src/main.ts',
    // What runs in a worker: the one that cleans texts, the one that looks through a push, and what a pool starts, where the pool looks for it.
    'clean-texts': fileURLToPath(new URL('src/worker/clean-texts.ts', text)),
    'scan-patch-worker': fileURLToPath(new URL('src/outgoing/scan-patch-worker.ts', text)),
    'entry/worker': fileURLToPath(new URL('node_modules/tinypool/dist/entry/worker.js', text)),
  },
  format: ['esm'],
  platform: 'node',
  target: 'node22',
  dts: false,
  clean: true,
  minify: true,
  splitting: true,
  // A native addon finds its build beside itself, so that one package is installed with the daemon; what reaches a database, or
  // another vendor's model, is installed by those who use one.
  external: ['fs-native-extensions', 'pg', 'pg-boss', /^@ai-sdk\/(?:amazon-bedrock|anthropic|azure|google)$/],
  noExternal: [
    /^(?!(?:fs-native-extensions|pg|pg-boss|@ai-sdk\/(?:amazon-bedrock|anthropic|azure|google))$)/,
  ],
  removeNodeProtocol: false,
  silent: true,
  esbuildOptions: (options) => {
    options.conditions = ['@agent/source', 'import'];
    options.legalComments = 'none';
  },
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);",
  },
});
