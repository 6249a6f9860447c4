import type { Options } from 'tsup';

/**
 * How every published package is built: ESM for the oldest supported Node, one file per entry point.
 * Type declarations come from `tsc -p tsconfig.build.json`, because tsup's own need the compiler API
 * that the native TypeScript no longer has.
 */
export function libraryPreset(entry: Record<string, string>): Options {
  return {
    entry,
    format: ['esm'],
    platform: 'node',
    target: 'node22',
    dts: false,
    clean: true,
    sourcemap: true,
    splitting: true,
    removeNodeProtocol: false,
    silent: true,
  };
}
