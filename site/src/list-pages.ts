import { execFileSync } from 'node:child_process';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A document of the repository and the page that it becomes. */
export interface Page {
  /** Path in the repository, such as `packages/runner/README.md`. */
  readonly source: string;
  /** Path in the site, such as `packages/runner.md`. */
  readonly route: string;
}

/** The folder of this repository. */
export const repositoryRoot: string = fileURLToPath(new URL('../..', import.meta.url));

/** Documents for whoever works on this repository itself, or that a forge shows in its own places. */
const LEFT_OUT = /^(?:AGENTS\.md|\.changeset\/|\.github\/)|\/(?:fixtures|CHANGELOG\.md)/;

/** Lists every Markdown file that git knows as a page, by source. */
export function listPages(root: string): readonly Page[] {
  const listed = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '*.md'],
    { cwd: root, encoding: 'utf8' },
  );
  return listed
    .split('\0')
    .filter((path) => path !== '' && !LEFT_OUT.test(path))
    .map((source) => ({ source, route: toRoute(source) }));
}

/** Finds the place of a document in the site: `docs/` is its root, a README stands for its folder. */
function toRoute(source: string): string {
  if (source === 'README.md') return 'overview.md';
  if (basename(source) !== 'README.md') return source.replace(/^docs\//, '').toLowerCase();
  const folder = dirname(source).replace(/^docs\//, '');
  if (source.startsWith('docs/')) return `${folder}/index.md`;
  return `${folder}.md`.replace(/^examples\/example-/, 'examples/');
}
