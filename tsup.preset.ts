import type { Options } from 'tsup';
import { thirdPartyLicenses } from './scripts/release/third-party-licenses.ts';

const common = {
  format: ['esm'],
  platform: 'node',
  target: 'node22',
  dts: false,
  clean: true,
  splitting: true,
  removeNodeProtocol: false,
  silent: true,
} satisfies Options;

/**
 * How every published package is built: ESM for the oldest supported Node, one file per entry point.
 * Type declarations come from `tsc -p tsconfig.build.json`, because tsup's own need the compiler API
 * that the native TypeScript no longer has.
 */
export function libraryPreset(entry: Record<string, string>): Options {
  return { ...common, entry, sourcemap: true };
}

/** How every app is built: one bundle with everything in it, and a file with the licenses of what is in it. */
export function appPreset(
  entry: Record<string, string>,
  { external = [] }: { readonly external?: readonly string[] } = {},
): Options {
  return {
    ...common,
    entry,
    minify: true,
    external: [...external],
    noExternal: [new RegExp(`^(?!(?:${external.join('|')})$)`)],
    esbuildPlugins: [thirdPartyLicenses()],
    esbuildOptions: (options) => {
      options.conditions = ['@agent/source', 'import'];
      options.legalComments = 'none';
    },
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);",
    },
  };
}
