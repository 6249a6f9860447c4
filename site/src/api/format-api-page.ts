import GithubSlugger from 'github-slugger';
import type { ApiPackage, Entry } from './list-entries.ts';
import { type ApiExport, readExports } from './read-exports.ts';

/** An entry point with the names that it exports. */
export interface ReadEntry {
  readonly entry: Entry;
  readonly exports: readonly ApiExport[];
}

/** Reads every entry point of a package. */
export function readEntries(root: string, { entries }: ApiPackage): readonly ReadEntry[] {
  return entries.map((entry) => ({ entry, exports: readExports(root, entry.source) }));
}

/** Writes the page of a package: each export of each entry point with its docstring, its signature, and the exports that it names. */
export function formatApiPage({ name, folder }: ApiPackage, entries: readonly ReadEntry[]): string {
  const anchors = makeAnchors(`API of ${name}`, entries);
  const parts = entries.flatMap(({ entry, exports }) => [
    `## \`${entry.specifier}\``,
    ...exports.map((one) => formatExport(one, anchors)),
  ]);
  return `# API of ${name}

Every name that can be imported from \`${name}\`, read from its sources when this site was built. What the package is for, and how its parts
are used, stands in its [README](/${folder}.md).

${parts.join('\n\n')}
`;
}

/** Gives each name the anchor of its first heading, in the way that forges count equal ones. */
function makeAnchors(title: string, entries: readonly ReadEntry[]): ReadonlyMap<string, string> {
  const slugger = new GithubSlugger();
  slugger.slug(title);
  const anchors = new Map<string, string>();
  for (const { entry, exports } of entries) {
    slugger.slug(entry.specifier);
    for (const { name } of exports) {
      const anchor = slugger.slug(name);
      if (!anchors.has(name)) anchors.set(name, anchor);
    }
  }
  return anchors;
}

function formatExport(
  { name, signatures, text, source }: ApiExport,
  anchors: ReadonlyMap<string, string>,
): string {
  const heading = `### \`${name}\``;
  if (signatures.length === 0) return `${heading}\n\nComes from \`${source}\`.`;
  const code = signatures.join('\n\n');
  const named = [...new Set(code.match(/\b[A-Za-z_]\w*\b/g))].filter(
    (word) => word !== name && anchors.has(word),
  );
  const links = named.map((word) => `[\`${word}\`](#${anchors.get(word)})`);
  const parts = [heading, text.replaceAll('{{', '{ {'), `\`\`\`ts\n${code}\n\`\`\``];
  if (links.length > 0) parts.push(`Names ${links.join(', ')}.`);
  return parts.filter((part) => part !== '').join('\n\n');
}
