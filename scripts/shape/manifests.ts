import type { Manifest } from '../workspace/list-packages.ts';
import { listMembers } from './paths.ts';
import type { Problem, SourceTree } from './source-tree.ts';

const SOURCE = '@agent/source';
const NODE = '>=22.18';
const FILES = ['dist', 'README.md', 'LICENSE'];

/** What a published package.json promises, the same in every package. */
export function findManifestProblems(tree: SourceTree): readonly Problem[] {
  return listMembers(tree, ['packages', 'apps', 'examples', 'bench']).flatMap((folder) => {
    const path = `${folder}/package.json`;
    const manifest = JSON.parse(tree.get(path) ?? '{}') as Manifest;
    const messages = [...findGeneral(manifest), ...findDependencies(folder, manifest)];
    if (/^(packages|apps)\//.test(folder)) messages.push(...findPublished(manifest));
    if (folder.startsWith('packages/')) messages.push(...findExports(tree, folder, manifest));
    return messages.map((message) => ({ path, message }));
  });
}

function findGeneral({ license, type }: Manifest): string[] {
  return [
    ...(license === 'Apache-2.0' ? [] : ['license must be Apache-2.0']),
    ...(type === 'module' ? [] : ['type must be module']),
  ];
}

function findPublished({ engines, files, private: isPrivate }: Manifest): string[] {
  const missing = isPrivate === true ? [] : FILES.filter((name) => !files?.includes(name));
  return [
    ...(engines?.node === NODE ? [] : [`engines.node must be ${NODE}`]),
    ...missing.map((name) => `files must name ${name}`),
  ];
}

/** One version of everything, in pnpm-workspace.yaml. Peers state ranges, for they are other people's choice. */
function findDependencies(
  folder: string,
  { dependencies, devDependencies, peerDependencies }: Manifest,
): string[] {
  const own = Object.entries({ ...dependencies, ...devDependencies });
  const unpinned = own
    .filter(([, version]) => version !== 'catalog:' && version !== 'workspace:^')
    .map(([name, version]) => `${name} is ${version}; use catalog: (or workspace:^ for our own)`);
  const foreign = [...own.map(([name]) => name), ...Object.keys(peerDependencies ?? {})]
    .filter((name) => folder.startsWith('packages/') && name.startsWith('@agent/'))
    .map((name) => `depends on ${name}; packages do not depend on each other (docs/decisions/0001)`);
  return [...unpinned, ...foreign];
}

function findExports(tree: SourceTree, folder: string, { exports = {}, publishConfig }: Manifest): string[] {
  const entries = Object.entries(exports);
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
  ];
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
