import { defineConfig } from 'tsup';

/** One bundle with everything in it, so that a server starts fast and installs without a dependency tree. */
export default defineConfig({
  entry: { main: 'src/main.ts' },
  format: ['esm'],
  platform: 'node',
  target: 'node22',
  dts: false,
  clean: true,
  minify: true,
  splitting: true,
  noExternal: [/.*/],
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
