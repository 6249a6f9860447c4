import type { Manifest } from '../workspace/list-packages.ts';
import { listMembers } from './paths.ts';
import type { Problem, SourceTree } from './source-tree.ts';

const SOURCE = '@agent/source';
/** The package of simulated servers, which nothing else that is published may need. */
const SIMULATORS = '@agent/simulators';
/** Packages of ours that the tests of a library use besides the simulators. */
const testedWith: Readonly<Record<string, string>> = { 'packages/context-inheritance': '@agent/run-store' };
/** Libraries run as they were built; apps load adapters that are TypeScript. */
const NODE = { libraries: '>=22.12', apps: '>=22.18' };
const FILES = ['dist', 'README.md', 'LICENSE'];

/** What a published package.json promises, the same in every package. */
export function findManifestProblems(tree: SourceTree): readonly Problem[] {
  const roots = ['packages', 'apps', 'examples', 'bench', 'site'];
  return listMembers(tree, roots).flatMap((folder) => {
    const path = `${folder}/package.json`;
    const manifest = JSON.parse(tree.get(path) ?? '{}') as Manifest;
    const messages = [...findGeneral(manifest), ...findDependencies(folder, manifest)];
    if (isLibrary(folder) || folder.startsWith('apps/')) messages.push(...findPublished(folder, manifest));
    if (isLibrary(folder)) messages.push(...findExports(tree, folder, manifest));
    return messages.map((message) => ({ path, message }));
  });
}

function isLibrary(folder: string): boolean {
  return folder.startsWith('packages/');
}

function findGeneral({ license, type }: Manifest): string[] {
  return [
    ...(license === 'Apache-2.0' ? [] : ['license must be Apache-2.0']),
    ...(type === 'module' ? [] : ['type must be module']),
  ];
}

function findPublished(folder: string, { engines, files, private: isPrivate }: Manifest): string[] {
  const node = isLibrary(folder) ? NODE.libraries : NODE.apps;
  const missing = isPrivate === true ? [] : FILES.filter((name) => !files?.includes(name));
  return [
    ...(engines?.node === node ? [] : [`engines.node must be ${node}`]),
    ...missing.map((name) => `files must name ${name}`),
  ];
}

/** One version of everything, in pnpm-workspace.yaml. What packages depend on is a range, for it meets other people's. */
function findDependencies(
  folder: string,
  { dependencies, devDependencies, peerDependencies }: Manifest,
): string[] {
  const own = Object.entries({ ...dependencies, ...devDependencies });
  const ranged = isLibrary(folder) ? Object.keys(dependencies ?? {}) : [];
  const wanted = (name: string) => (ranged.includes(name) ? 'catalog:published' : 'catalog:');
  const unpinned = own
    .filter(([name, version]) => version !== wanted(name) && version !== 'workspace:^')
    .map(([name, version]) => `${name} is ${version}; use ${wanted(name)} (or workspace:^ for our own)`);
  const foreign = [...own.map(([name]) => name), ...Object.keys(peerDependencies ?? {})]
    .filter((name) => name !== SIMULATORS && !mayDependOn(folder, name))
    .filter((name) => !(name in (devDependencies ?? {}) && name === testedWith[folder]))
    .map(
      (name) =>
        `depends on ${name}; a library depends on @agent/text and @agent/platforms alone (docs/decisions/0097)`,
    );
  const simulated =
    /^(packages|apps)\//.test(folder) && SIMULATORS in { ...dependencies, ...peerDependencies }
      ? [`depends on ${SIMULATORS}, which only tests may need: move it to devDependencies`]
      : [];
  return [...unpinned, ...foreign, ...simulated];
}

/** Tells whether a member may depend on a package: a library on text and platforms, the page on text and the orchestrator, the orchestrator and the apps on any. */
function mayDependOn(folder: string, name: string): boolean {
  if (!name.startsWith('@agent/')) return true;
  if (folder === 'packages/simulators' || folder === 'packages/text') return false;
  if (!folder.startsWith('packages/') || folder === 'packages/orchestrator') return true;
  const typed = folder === 'packages/page' ? '@agent/orchestrator' : '@agent/platforms';
  return name === '@agent/text' || name === typed;
}

function findExports(tree: SourceTree, folder: string, { exports = {}, publishConfig }: Manifest): string[] {
  const entries = Object.entries(exports).filter(([, targets]) => !isOwnEntry(folder, targets));
  const published = JSON.stringify(publishConfig?.exports ?? {});
  const expected = JSON.stringify(
    Object.fromEntries(entries.map(([name, targets]) => [name, withoutSource(targets)])),
  );
  return [
    ...(entries.length > 0 ? [] : ['exports must name at least "."']),
    ...entries.flatMap(([name, targets]) => findEntry(tree, folder, { name, targets })),
    ...(published === expected
      ? []
      : [`publishConfig.exports must be exports without ${SOURCE}, in the same order`]),
    ...(publishConfig?.main === './dist/index.js' && publishConfig.types === './dist/index.d.ts'
      ? []
      : ['publishConfig must have main and types, for resolvers that know no exports']),
    ...(JSON.stringify(publishConfig?.typesVersions?.['*'] ?? {}) ===
    JSON.stringify(toTypesVersions(publishConfig))
      ? []
      : ['publishConfig.typesVersions must name the types of every entry but ".", for the same resolvers']),
  ];
}

/** Tells whether an entry of the simulators is a source and nothing else: for this repository alone, and not in the package. */
function isOwnEntry(folder: string, targets: string | object): boolean {
  return folder === 'packages/simulators' && typeof targets === 'string';
}

function toTypesVersions(
  publishConfig: Manifest['publishConfig'],
): Readonly<Record<string, readonly unknown[]>> {
  const entries = Object.entries(publishConfig?.exports ?? {}).filter(([name]) => name !== '.');
  return Object.fromEntries(entries.map(([name, { types }]) => [name.replace('./', ''), [types]]));
}

interface Entry {
  readonly name: string;
  readonly targets: Readonly<Record<string, string>>;
}

function findEntry(tree: SourceTree, folder: string, { name, targets }: Entry): string[] {
  const conditions = Object.keys(targets).join(', ');
  const source = `${folder}/${targets[SOURCE]?.replace('./', '')}`;
  return [
    ...(conditions === `${SOURCE}, types, default`
      ? []
      : [`exports["${name}"] must have ${SOURCE}, types, default in this order`]),
    ...(tree.has(source) ? [] : [`exports["${name}"] names ${source}, which does not exist`]),
  ];
}

function withoutSource(targets: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(targets).filter(([condition]) => condition !== SOURCE));
}
