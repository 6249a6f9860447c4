import { describe, expect, it } from 'vitest';
import { repositoryRoot } from './list-pages.ts';
import { createLinkTarget } from './resolve-link.ts';

const pages = [
  { source: 'docs/guides/page.md', route: 'guides/page.md' },
  { source: 'packages/runner/README.md', route: 'packages/runner.md' },
];
const places = { root: repositoryRoot, pages, sources: 'https://forge.example/blob/main' };
const target = createLinkTarget(pages[0] ?? { source: '', route: '' }, places);
const link = (url: string) => target({ url, kind: 'link' });

describe('createLinkTarget', () => {
  it('leads to pages of the site, by file or by folder, with their anchors', () => {
    expect(link('../../packages/runner/README.md#errors')).toBe('/packages/runner.md#errors');
    expect(link('../../packages/runner')).toBe('/packages/runner.md');
    expect(link('page.md')).toBe('/guides/page.md');
  });

  it('leaves what leads elsewhere or stays on the page', () => {
    expect(link('https://example.org/a.md')).toBe('https://example.org/a.md');
    expect(link('#here')).toBe('#here');
  });

  it('leads to sources on the forge, and to nothing where there is none', () => {
    expect(link('../../package.json')).toBe('https://forge.example/blob/main/package.json');
    const nowhere = createLinkTarget(pages[0] ?? { source: '', route: '' }, { ...places, sources: null });
    expect(nowhere({ url: '../../package.json', kind: 'link' })).toBeNull();
  });

  it('throws for a file that is not there or lies outside the repository [NX-383]', () => {
    expect(() => link('../gone.md')).toThrow('docs/guides/page.md links ../gone.md, which is not there');
    expect(() => link('../../../elsewhere.md')).toThrow('which is not there');
  });
});
