import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findLiveParts, findQuickActions, renderers } from '../../test/live-parts.ts';
import { escapeOutgoingText } from './escape-outgoing.ts';

const linkHosts = ['github.com', 'gitlab.example:8443'];
const write = (text: string) => escapeOutgoingText(text, { linkHosts });

const pieces = [
  ...[
    '@octocat',
    '#12',
    '!3',
    'a/b#4',
    'GH-7',
    'GL-7',
    'group/project&gt;',
    '%&quot;next&quot;',
    '_#12_',
    'abc1234',
    '~bug',
    '%{x}',
    '%"next"',
    '$12',
    '[[w]]',
    '^alert#1',
  ],
  ...[
    '`',
    '``',
    '```',
    '~~~',
    '$',
    '$$',
    '`$',
    '$`',
    '\\',
    '\\`',
    '```mermaid\n',
    'click A "https://e.example"\n',
  ],
  ...[
    '\n',
    '\n\n',
    '    ',
    '  ',
    '\t',
    '- ',
    '1. ',
    '> ',
    '>>>',
    '>>> [!note]\n',
    '# ',
    '---\n',
    '+++\n',
    '===\n',
  ],
  ...['\n: ', '\n~ ', '|', '|a|b|', '\n|---|---|\n', '[^1]', '[^1]: ', '::include{file=x}'],
  ...[
    '<details>',
    '</details>',
    '<summary>x</summary>',
    '<img src=x>',
    '<a href="https://e.example/x">',
    '<div>',
  ],
  ...['</div>', '<pre>', '</pre>', '<script>', '<!--', '-->', '<?', '?>', '<![CDATA[', '<', '>', '</'],
  ...[
    '[',
    '](',
    '![',
    ')',
    '[x]',
    '(https://e.example/?d=1)',
    '(<https://e.example>)',
    '(https://github.com/a)',
  ],
  ...[
    '[r]',
    '[r]: https://e.example\n',
    '[r]: https://github.com/x\n',
    'https://e.example/`a',
    'www.e.example',
  ],
  ...[
    'https://github.com/o/r',
    'mailto:a@b.example',
    'a@b.example',
    '//',
    ':',
    '=',
    '"',
    '*',
    '**',
    '_',
    '~',
    '~~',
  ],
  ...[
    '&#64;',
    '&commat;',
    '&#35;',
    '\u200b',
    '/close',
    '/merge\n',
    'fixes ',
    'Closes ',
    'a',
    'x y',
    ' ',
    '設計',
    'é',
  ],
];
const markdown = fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((chosen) => chosen.join(''));

describe('Markdown that leaves', () => {
  it.each(renderers)(
    'has nothing live but links to hosts of our own, as %s shows it [NX-250]',
    (_, render) => {
      fc.assert(
        fc.property(markdown, (text) => {
          const written = write(text);
          expect(findLiveParts(render(written), linkHosts)).toEqual([]);
          expect(findQuickActions(written)).toEqual([]);
        }),
        { numRuns: 1_500 },
      );
    },
  );

  it('is the same when it leaves again [NX-250]', () => {
    fc.assert(
      fc.property(markdown, (text) => {
        const written = write(text);
        expect(write(written)).toBe(written);
      }),
      { numRuns: 1_500 },
    );
  });

  it.each(renderers)(
    'keeps the code and the words of 90 README files, as %s shows them [NX-250]',
    (_, render) => {
      const files = listReadmes().slice(0, 90);
      expect(files).toHaveLength(90);
      for (const file of files) {
        const text = readFileSync(file, 'utf8').replace(/\r\n?/g, '\n');
        const written = write(text);
        expect(readWords(written), file).toEqual(readWords(text));
        const page = render(written);
        expect(listCode(page), file).toEqual(expect.arrayContaining([...listCode(render(text))]));
        expect(findLiveParts(page, linkHosts), file).toEqual([]);
      }
    },
  );
});

/** README files of the packages that are installed for the tests. */
function listReadmes(): readonly string[] {
  const store = join(import.meta.dirname, '../../../../node_modules/.pnpm');
  const texts = new Map<string, string>();
  for (const name of readdirSync(store, { recursive: false, encoding: 'utf8' }).sort()) {
    const path = join(
      store,
      name,
      'node_modules',
      name.replace(/@[^@]*$/, '').replace('+', '/'),
      'README.md',
    );
    try {
      const text = readFileSync(path, 'utf8');
      if (text.length > 1_000) texts.set(text, path);
    } catch {
      // No README, or a name with a peer in it.
    }
  }
  return [...texts.values()];
}

function readWords(text: string): readonly string[] {
  return (
    text
      .replaceAll('\u200b', '')
      .replaceAll('&lt;', '<')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

function listCode(page: string): readonly string[] {
  return [...page.matchAll(/<pre[^>]*>\s*<code[^>]*>([\s\S]*?)<\/code>/g)].map(([, code = '']) => code);
}
