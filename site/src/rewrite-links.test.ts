import { expect, it } from 'vitest';
import { rewriteLinks } from './rewrite-links.ts';

const target = ({ url }: { readonly url: string }) => (url.startsWith('gone') ? null : `/new/${url}`);

it.each([
  ['a [link](a.md) in a line', 'a [link](/new/a.md) in a line'],
  ['[a.md](a.md "a.md")', '[a.md](/new/a.md "a.md")'],
  ['![picture](a.svg) and [`code`](b.md#part)', '![picture](/new/a.svg) and [`code`](/new/b.md#part)'],
  ['[two\nlines](a.md)', '[two\nlines](/new/a.md)'],
  ['| [cell](a.md) | `[code](a.md)` |', '| [cell](/new/a.md) | `[code](a.md)` |'],
  ['```md\n[fenced](a.md)\n```', '```md\n[fenced](a.md)\n```'],
  ['[a][b]\n\n[b]: a.md', '[a][b]\n\n[b]: /new/a.md'],
  ['[![a.svg](a.svg)](a.md)', '[![a.svg](/new/a.svg)](/new/a.md)'],
  ['the `[words](x)` of [`one` of *them*](gone.ts) stay', 'the `[words](x)` of `one` of *them* stay'],
])('gives links another target and leaves the rest of %j as it was', (markdown, expected) => {
  expect(rewriteLinks(markdown, target)).toBe(expected);
});
