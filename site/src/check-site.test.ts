import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkSite } from './check-site.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'site-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const put = (files: Readonly<Record<string, string>>) => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
};

it('finds nothing wrong with links to pages, anchors, files and other places [NX-383]', () => {
  put({
    'index.html':
      '<a href="/docs/guides/a#%E9%83%A8">a</a><a href="guides/">g</a><a href="https://example.org">e</a>',
    'guides/index.html':
      '<a href="./a">a</a><img src="../picture.svg"><img src="data:image/svg+xml;base64,AAAA">',
    'guides/a.html': '<h2 id="部">部</h2><a href="#部">here</a>',
    'picture.svg': '<svg/>',
  });
  expect(checkSite(folder, '/docs/')).toEqual([]);
});

it('finds dead links and dead anchors, also outside of the place where the site is served [NX-383]', () => {
  put({
    'a.html': '<a href="/docs/b">b</a><a href="#gone">g</a><a href="/a">a</a><script src="gone.js"></script>',
  });
  expect(checkSite(folder, '/docs/')).toEqual(
    ['/docs/b', '#gone', '/a', 'gone.js'].map((link) => `a.html links ${link}, which is not there`),
  );
});

it('finds what a browser would fetch from elsewhere, in pages and in styles [NX-383]', () => {
  put({
    'a.html':
      '<link href="https://fonts.example/a.css"><img src="//cdn.example/a.png"><a href="https://fine.example">f</a>',
    'a.css': '@import "https://fonts.example/b.css"; a { background: url(data:image/png;base64,aa) }',
  });
  expect(checkSite(folder, '/')).toEqual([
    'a.html fetches https://fonts.example/a.css',
    'a.html fetches //cdn.example/a.png',
    'a.css fetches https://fonts.example/b.css',
  ]);
});
