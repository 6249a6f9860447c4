import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatDecisionIndex } from './house/decision-index.ts';
import { findDialect, listProse } from './house/dialect.ts';
import figures from './house/figures.json' with { type: 'json' };
import { replaceGenerated } from './house/generated-part.ts';
import { findWorseFigures } from './house/house-report.ts';
import { readMarkdownFiles } from './house/markdown-files.ts';
import { measureHouse } from './house/measures.ts';
import { findUnresolvedIds } from './house/unresolved-ids.ts';
import { parseRequirements } from './requirements/parse-requirements.ts';
import { readSourceTree } from './shape/source-tree.ts';
import { repositoryRoot } from './workspace/root.ts';

describe('the house', () => {
  const tree = readSourceTree(repositoryRoot);
  const documents = readMarkdownFiles(repositoryRoot);
  const markdown = readFileSync(join(repositoryRoot, 'docs', 'requirements.md'), 'utf8');
  const requirements = parseRequirements(markdown);

  it('is no worse than its committed figures', { tags: ['full'] }, () => {
    expect(findWorseFigures(measureHouse(tree, documents), figures)).toEqual([]);
  });

  it('has no word of list A in the first pages that a user reads', () => {
    const first = ['README.md', 'docs/start.md', 'docs/index.md', 'docs/guides/simulators.md'];
    const pages = new Map([...documents].filter(([path]) => first.includes(path)));
    expect([...pages.keys()].sort()).toEqual(first.sort());
    expect(findDialect(listProse(pages))).toEqual([]);
  });

  it('has a row or a page for every id that comments and documents name', () => {
    const known = new Set(requirements.map(({ id }) => id));
    expect(findUnresolvedIds(new Map([...tree, ...documents]), known)).toEqual([]);
  });

  it('lists every decision and every page in docs/decisions/README.md; `npm run house -- --write` renews it', () => {
    const index = documents.get('docs/decisions/README.md') ?? '';
    expect(index).toBe(replaceGenerated(index, formatDecisionIndex(markdown, requirements, documents)));
  });
});
