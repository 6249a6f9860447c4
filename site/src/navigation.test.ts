import { expect, it } from 'vitest';
import { listPages, repositoryRoot } from './list-pages.ts';
import { makeSections, toLink } from './navigation.ts';

const titled = (...routes: readonly string[]) => routes.map((route) => ({ route, title: route }));

it('puts pages into sections in their order, named ones first', () => {
  const sections = makeSections(titled('guides/b.md', 'apps/mcp.md', 'apps/daemon.md', 'index.md'));
  expect(sections.map(({ text, items }) => [text, ...items.map(({ link }) => link)])).toEqual([
    ['Guides', '/guides/b'],
    ['Programs', '/apps/daemon', '/apps/mcp'],
  ]);
});

it('throws for a page that no section takes', () => {
  expect(() => makeSections(titled('stray.md'))).toThrow('no section of the site takes stray.md');
});

it('has a section for every document of the repository, each at an address of its own [NX-384]', () => {
  const pages = listPages(repositoryRoot).map(({ route }) => ({ route, title: route }));
  const links = makeSections(pages).flatMap(({ items }) => items.map(({ link }) => link));
  expect(links.length).toBeGreaterThan(90);
  expect(new Set(links).size).toBe(links.length);
  expect(links).toContain(toLink('decisions/index.md'));
});
