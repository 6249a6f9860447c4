import { parseSource } from './parse-source.ts';
import { isTest } from './paths.ts';
import type { Problem, SourceTree } from './source-tree.ts';

/** Types of the whole configuration. */
const wholes: ReadonlySet<string> = new Set(['Config', 'LoadedConfig']);

/** Files that read the configuration whole, and hand each part what it takes. */
const wiring: ReadonlySet<string> = new Set([
  'apps/daemon/src/start-daemon.ts',
  'apps/daemon/src/cli/commands/doctor.ts',
  'apps/daemon/src/doctor/checks.ts',
  'apps/daemon/src/rehearse/check-accounts.ts',
  'apps/daemon/src/rehearse/rehearsal-config.ts',
]);

/** Finds parts of an app that take its whole configuration: a part takes its own section, or names what it reads. */
export function findConfigurationTypes(tree: SourceTree): readonly Problem[] {
  return [...tree]
    .filter(([path]) => /^apps\/[^/]+\/src\/(?!config\/)/.test(path) && !isTest(path) && !wiring.has(path))
    .flatMap(([path, text]) =>
      listConfigurationImports(path, text).map((name) => ({
        path,
        message: `takes the whole configuration (${name}): name what it reads`,
      })),
    );
}

function listConfigurationImports(path: string, text: string): readonly string[] {
  return parseSource(path, text)
    .module.staticImports.filter(({ moduleRequest }) => /(?:^|\/)config\/[^/]+$/.test(moduleRequest.value))
    .flatMap(({ entries }) => entries.map(({ importName }) => importName.name ?? ''))
    .filter((name) => wholes.has(name));
}
