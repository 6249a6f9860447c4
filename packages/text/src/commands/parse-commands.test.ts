import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCommands } from './parse-commands.ts';

const names = ['stop', 'fresh-start', 'reject'] as const;
const read = (body: string) => parseCommands(body, names).commands.map(({ name }) => name);

/** `$` stands for a command. */
const given: readonly (readonly [where: string, body: string])[] = [
  ['alone', '$'],
  ['with words behind it', '$ until Monday'],
  ['with an ideographic space behind it', '$　月曜まで'],
  ['behind a tab', '$\tnow'],
  ['in the middle of a paragraph', 'Please wait.\n$\nThanks.'],
  ['behind a carriage return', 'Please wait.\r$\r\nThanks.'],
  ['behind a closed fence', '```\ncode\n```\n$'],
  ['behind a fence of another length', '````\n```\n````\n$'],
  ['behind code on one line', '```code``` is one line\n$'],
  ['behind a closed fence of an item', '- ```\n  code\n  ```\n\n$'],
  ['behind a list', '- one\n- two\n\n$'],
  ['behind an item, without a blank line', '- one\n$'],
  ['behind a quote', '> one\n\n$'],
  ['behind an open fence of a quote', '> ```\n> code\n\n$'],
  ['behind indented code', 'a\n\n    code\n\n$'],
  ['behind a comment of HTML', '<!-- a -->\n\n$'],
  ['in a part of HTML that is shown', '<details>\n<summary>why</summary>\n$\n</details>'],
  ['behind a lonely backtick', 'it`s enough\n$'],
  ['as a heading of a paragraph', '$\n==='],
  ['behind a mention of less', 'a < b\n$\nb > a'],
];

const none: readonly (readonly [where: string, body: string])[] = [
  ['in a sentence', 'please $'],
  ['behind a space', ' $'],
  ['as the beginning of a longer word', '$ping'],
  ['before a sign', '$.'],
  ['as a path', '$/x'],
  ['behind two slashes', '/$'],
  ['in a quote', '> $'],
  ['in a quote that goes on without its sign', '> one\n$'],
  ['in a quote of an item', '- > one\n$'],
  ['in a code span', '`$`'],
  ['in a code span of several lines', 'a `b\n$\nc` d'],
  ['in a fence', '```\n$\n```'],
  ['in a fence of tildes', '~~~~ text\n$\n~~~\n$\n~~~~'],
  ['in a fence that is not closed', '```\n$'],
  ['in a fence that another opening does not close', '```\n``` js\n$\n```'],
  ['in a fence that an item opens', '- ```\n  $\n  ```'],
  ['in a fence that an item opens, not indented', '- ```\n$\n```'],
  ['in a fence of an item, not indented', '- text\n\n  ```\n  code\n$\n  ```'],
  ['in a fence that a number opens', '1. ~~~ js\n$'],
  ['in a fence that an item in an item opens', '- - ````\n$\n    ```\n$'],
  ['in a fence indented by four in an item', '10) a\n    ```\n$'],
  ['in a fence indented by a tab in an item', '-\ta\n\n\t```\n$\n\t```'],
  ['in indented code', '    $'],
  ['in code behind a tab', '\t$'],
  ['in a comment of HTML', '<!--\n$\n-->'],
  ['in a comment of HTML within a paragraph', 'a <!-- b\n$\n--> c'],
  ['in preformatted HTML', '<pre>\n$\n</pre>'],
  ['in an attribute', '<a title="\n$\n">a</a>'],
  ['as the address of a link', '[a]:\n$\n\nb'],
  ['nowhere', ''],
];

describe.each(names)('a command, /%s,', (name) => {
  it.each(given)('is one %s [NX-4]', (_, body) => {
    for (const sign of [`/${name}`, `／${name}`, `/${name.toUpperCase()}`])
      expect(read(body.replaceAll('$', sign))).toEqual([name]);
  });

  it.each(none)('is none %s [NX-4]', (_, body) => {
    for (const sign of [`/${name}`, `／${name}`, `/${name.toUpperCase()}`])
      expect(read(body.replaceAll('$', sign))).toEqual([]);
  });
});

describe('parseCommands', () => {
  it('gives name, argument and line of each command, in their order, and what else was said', () => {
    expect(parseCommands('Thanks!\r\n／Reject　A2  it is PostgreSQL \r\nBye.\n/stop', names)).toEqual({
      commands: [
        {
          name: 'reject',
          argument: 'A2  it is PostgreSQL',
          line: 1,
          written: '／Reject　A2  it is PostgreSQL ',
        },
        { name: 'stop', argument: '', line: 3, written: '/stop' },
      ],
      rest: 'Thanks!\nBye.',
    });
  });

  it('reads a name in full-width letters, which Japanese keyboards write', () => {
    expect(read('／ｆｒｅｓｈ－ｓｔａｒｔ')).toEqual(['fresh-start']);
    expect(read('/ｓｔｏｐ')).toEqual(['stop']);
  });

  const piece = fc.constantFrom(
    ...[
      '/stop',
      '/STOP x',
      '／reject A1',
      '/other',
      '- ',
      '1. ',
      '> ',
      '    ',
      '\t',
      '```',
      '~~~~',
      '`',
      '<!--',
    ],
    ...['-->', '<pre>', '</pre>', '<b>', 'text', ' ', '\n', '\n', '\n\n', '\r\n', '[a]:', '===', '😀'],
  );
  const body = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));

  it('loses nothing: the rest with the commands in their lines is the body', () => {
    fc.assert(
      fc.property(body, (text) => {
        const { commands, rest } = parseCommands(text, names);
        const isWhole = commands.length === text.split(/\r\n|\r|\n/).length;
        const lines = isWhole ? [] : rest.split(/\r\n|\r|\n/);
        for (const { line, written } of commands) lines.splice(line, 0, written);
        expect(lines).toEqual(text.split(/\r\n|\r|\n/));
      }),
      { numRuns: 2_000 },
    );
  });

  it('finds none where no line begins with a slash, and gives the body back as it is', () => {
    fc.assert(
      fc.property(body, (text) => {
        const plain = text.replace(/^[/／]/gmu, '.').replace(/\r\/|\r／/g, '\r.');
        expect(parseCommands(plain, names)).toEqual({ commands: [], rest: plain });
      }),
      { numRuns: 2_000 },
    );
  });

  it('finds none in a fence that is not closed, whatever is said there', () => {
    const fence = '`'.repeat(150);
    fc.assert(
      fc.property(body, (text) => {
        expect(read(`${fence}\n${text}`)).toEqual([]);
        expect(read(`- ${fence}\n${text}`)).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });
});
