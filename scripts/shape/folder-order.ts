import { listImports, resolveImport } from './list-imports.ts';
import { isPublished } from './paths.ts';
import type { Problem, SourceTree } from './source-tree.ts';

const section =
  /^## Folders of `src\/`, each importing only those above it\n(?<list>[\s\S]*?)(?=^## |(?![\s\S]))/mu;

/** Finds what the list of folders in a README leaves out, and imports of a folder that it lists further down. */
export function findFolderOrderProblems(tree: SourceTree): readonly Problem[] {
  return [...tree].flatMap(([readme, text]) => {
    const list = section.exec(text)?.groups?.list;
    return list === undefined ? [] : checkList(tree, { readme, order: readOrder(list) });
  });
}

interface FolderList {
  readonly readme: string;
  /** Names of folders, the lowest first. */
  readonly order: readonly string[];
}

/** Reads the names before the colon of each item; a remark in parentheses names no folder of its own. */
function readOrder(list: string): readonly string[] {
  return [...list.matchAll(/^- (?<item>.*)$/gmu)].flatMap(({ groups }) => {
    const [names = ''] = (groups?.item ?? '').replaceAll(/\([^)]*\)/gu, '').split(': ');
    return [...names.matchAll(/`(?<name>[\w-]+)\/`/gu)].map((match) => match.groups?.name ?? '');
  });
}

function checkList(tree: SourceTree, { readme, order }: FolderList): readonly Problem[] {
  const root = readme.replace(/README\.md$/, 'src/');
  const folderOf = (path: string): string | null =>
    path.startsWith(root) ? (/^([^/]+)\//.exec(path.slice(root.length))?.[1] ?? null) : null;
  const sources = [...tree].filter(([path]) => isPublished(path) && folderOf(path) !== null);
  const folders = new Set(sources.map(([path]) => folderOf(path) ?? ''));
  const unlisted = [...folders].filter((name) => !order.includes(name));
  const gone = order.filter((name) => !folders.has(name));
  const placeOf = (path: string): number => order.indexOf(folderOf(path) ?? '');
  return [
    ...unlisted.map((name) => ({ path: readme, message: `list the folder ${name}/ below those it imports` })),
    ...gone.map((name) => ({ path: readme, message: `there is no folder ${name}/` })),
    ...sources.flatMap(([path, text]) =>
      listImports(path, text)
        .map((specifier) => resolveImport(path, specifier))
        .filter((target) => target !== null && placeOf(path) >= 0 && placeOf(target) > placeOf(path))
        .map((target) => ({
          path,
          message: `imports ${target} of a folder that ${readme} lists further down: move the file or the type to a folder above`,
        })),
    ),
  ];
}
