import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SourceTree } from '../shape/source-tree.ts';

/** Reads every Markdown file that git knows below a folder, by path. */
export function readMarkdownFiles(root: string): SourceTree {
  const listed = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '*.md'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  );
  const paths = listed.split('\0').filter((path) => path !== '');
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}
