import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';

/** The folder of this repository, with `/` at its end. */
export const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Concerns that lie in several folders. Every other name is a folder below packages/ or apps/. */
const CONCERNS: Readonly<Record<string, RegExp>> = {
  authority:
    /(?:^|[/-])(?:authorit(?:y|ies)|trust|permissions?|handover|(?:github|gitlab)-accounts|incoming-message)\b/,
  ownership:
    /^packages\/run-store\/src\/(?:ownership|controls)\/|^packages\/run-store\/src\/(?:file\/(?:run-opener|paused-runs|run-directory)|record\/record-writer)|^packages\/orchestrator\/src\/(?:queue|triggers)\/|\/run-claim\b/,
  money: /(?:request-budget|request-limits|tally|model-circuit|bound-fetch|rate-limits)/,
  delivery: /^packages\/comment-detection\/src\/|^packages\/orchestrator\/src\/(?:thread|inbox|listening)\//,
  outgoing: /^packages\/text\/src\/(?:outgoing|secrets)\/|outgoing-gate/,
  run: /^packages\/orchestrator\/src\/(?:run|report|admission|delivery|lifecycle)\//,
};

/** Names of the areas that have a name of their own. */
export const concerns: readonly string[] = Object.keys(CONCERNS);

/**
 * Sources and unit tests of packages and apps, by path: `src`, and `test` of packages, where their contract suites and
 * fixtures lie. `test` of an app runs whole processes, and none of it is a unit test.
 */
export function readSources(): ReadonlyMap<string, string> {
  const paths = [...listMembers('packages', ['src', 'test']), ...listMembers('apps', ['src'])];
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

/**
 * Lists the sources of an area: a concern, or a folder such as `packages/runner` or `packages/orchestrator/src/run`.
 *
 * @throws when there are none
 */
export function listArea(area: string, sources: ReadonlyMap<string, string>): readonly string[] {
  const concern = CONCERNS[area];
  const files = [...sources.keys()].filter((path) => {
    const isText =
      /\.test\.ts$|[/-]texts(?:[.-][^/]*)?\.ts$|\/texts\/|[.-](?:en|ja)\.ts$|\/index\.ts$|\/testing\//.test(
        path,
      );
    const isSource = path.split('/')[2] === 'src' && !isText;
    return isSource && (concern === undefined ? path.startsWith(`${area}/`) : concern.test(path));
  });
  if (files.length === 0)
    throw new Error(`No area ${area}: name ${concerns.join(', ')} or a folder below packages/ or apps/.`);
  return files;
}

/** Finds the unit tests that reach a source through imports, the nearest first. */
export function listTestsOf(
  file: string,
  importers: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  const seen = new Set([file]);
  for (const path of seen) for (const importer of importers.get(path) ?? []) seen.add(importer);
  return [...seen].filter((path) => path.endsWith('.test.ts'));
}

/** The modules that import each module; types, which no test runs, are left out. */
export function mapImporters(sources: ReadonlyMap<string, string>): ReadonlyMap<string, readonly string[]> {
  const importers = new Map<string, string[]>();
  for (const [path, text] of sources) {
    for (const specifier of listImports(path, text)) {
      const target = toPath(path, specifier);
      importers.set(target, [...(importers.get(target) ?? []), path]);
    }
  }
  return importers;
}

function listImports(path: string, text: string): readonly string[] {
  const { module } = parseSync(path, text);
  const imported = module.staticImports.filter(
    ({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType),
  );
  const exported = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest, isType }) =>
      moduleRequest === null || isType ? [] : [moduleRequest.value],
    ),
  );
  const lazy = module.dynamicImports.map(({ moduleRequest: { start, end } }) =>
    text.slice(start + 1, end - 1),
  );
  return [...imported.map(({ moduleRequest }) => moduleRequest.value), ...exported, ...lazy];
}

function toPath(from: string, specifier: string): string {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier);
  const [, member, folder = ''] = /^@agent\/([^/]+)\/?(.*)$/.exec(specifier) ?? [];
  return member === undefined ? specifier : posix.join('packages', member, 'src', folder, 'index.ts');
}

function listMembers(parent: string, folders: readonly string[]): readonly string[] {
  return readdirSync(join(root, parent)).flatMap((member) =>
    folders
      .map((folder) => `${parent}/${member}/${folder}`)
      .filter((folder) => existsSync(join(root, folder)))
      .flatMap(listFiles),
  );
}

function listFiles(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map(({ parentPath, name }) => posix.join(parentPath, name).slice(root.length));
}
