import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../workspace/root.ts';

/**
 * The first TypeScript block of a package's README.
 *
 * @throws saying what is missing: a package without a running example is not finished.
 */
export function readReadmeExample(folder: string): string {
  const path = `${folder}/README.md`;
  if (!existsSync(join(repositoryRoot, path)))
    throw new Error(`${path} is missing; it needs an example that runs`);
  const example = findExample(readFileSync(join(repositoryRoot, path), 'utf8'));
  if (example === null)
    throw new Error(`${path} has no \`\`\`ts block; its first one is the example that is run`);
  return example;
}

/** The text of the first block that is marked `ts`. */
export function findExample(markdown: string): string | null {
  return /^```ts[^\S\n]*\n([\s\S]*?)^```/m.exec(markdown)?.[1] ?? null;
}

/** The packages that an example imports, without Node's own. */
export function listImportedPackages(example: string): readonly string[] {
  const specifiers = [...example.matchAll(/(?:\bfrom|\bimport)\s+['"]([^'"]+)['"]/g)].map(
    ([, name = '']) => name,
  );
  const names = specifiers
    .filter((name) => !name.startsWith('.') && !name.startsWith('node:'))
    .map((name) =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/'),
    );
  return [...new Set(names)];
}
