import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sourceScope } from './release-identity.ts';

/** Gives all packages of a checkout another npm scope: in their names, in every import, and in the documents. */
export function renameScope(root: string, scope: string): void {
  if (scope === sourceScope) return;
  const files = execFileSync('git', ['-C', root, 'grep', '-lIz', '--fixed-strings', `${sourceScope}/`], {
    encoding: 'utf8',
    maxBuffer: 100_000_000,
  });
  for (const file of files.split('\0').filter(Boolean)) {
    const path = join(root, file);
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(`${sourceScope}/`, `${scope}/`));
  }
}
