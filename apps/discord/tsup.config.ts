import { defineConfig } from 'tsup';

/** One bundle with everything in it, so that a bot starts fast and installs without a dependency tree. */
export default defineConfig({
  entry: { main: 'src/main.ts', index: 'src/index.ts' },
  format: ['esm'],
  platform: 'node',
  target: 'node22',
  dts: false,
  clean: true,
  minify: true,
  splitting: true,
  noExternal: [/.*/],
  // Optional parts of discord.js, which it looks for and does without.
  external: ['zlib-sync', 'bufferutil', 'utf-8-validate', 'erlpack'],
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
