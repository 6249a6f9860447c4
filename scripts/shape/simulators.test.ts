import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '../workspace/root.ts';
import { listImports, resolveImport } from './list-imports.ts';
import { readSourceTree, type SourceTree } from './source-tree.ts';

const tree = readSourceTree(repositoryRoot);

describe('a server of @agent/simulators', () => {
  it.each([
    ['github', ['@octokit/openapi-types', 'zod']],
    ['gitlab', ['@gitbeaker/core', 'zod']],
    ['discord', ['discord-api-types/v10', 'ws', 'zod']],
    ['lm-studio', ['zod']],
    ['model', ['zod']],
  ])('loads only what it needs itself: %s', (room, packages) => {
    const { own, foreign } = listLoaded(tree, `packages/simulators/src/${room}/index.ts`);
    expect([...foreign].filter((name) => !name.startsWith('node:')).sort()).toEqual(packages);
    const rooms = new Set([...own].map((path) => path.split('/')[3]));
    expect([...rooms].filter((name) => name !== room && name !== 'shared')).toEqual([]);
  });
});

interface Loaded {
  readonly own: ReadonlySet<string>;
  readonly foreign: ReadonlySet<string>;
}

/** Everything that an entry imports, and what that imports; types included. */
function listLoaded(sources: SourceTree, entry: string): Loaded {
  const [own, foreign] = [new Set([entry]), new Set<string>()];
  for (const path of own) {
    for (const specifier of listImports(path, sources.get(path) ?? '')) {
      const target = resolveImport(path, specifier);
      if (target === null) foreign.add(specifier);
      else own.add(target);
    }
  }
  return { own, foreign };
}
