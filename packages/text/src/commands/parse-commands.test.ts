import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { givenPlaces, otherPlaces } from '../../test/command-places.ts';
import { parseCommands } from './parse-commands.ts';

const names = ['stop', 'fresh-start', 'reject'] as const;
const read = (body: string) => parseCommands(body, names).commands.map(({ name }) => name);

describe.each(names)('a command, /%s,', (name) => {
  it.each(givenPlaces)('is one %s [NX-4]', (_, body) => {
    for (const sign of [`/${name}`, `／${name}`, `/${name.toUpperCase()}`])
      expect(read(body.replaceAll('$', sign))).toEqual([name]);
  });

  it.each(otherPlaces)('is none %s [NX-4]', (_, body) => {
    for (const sign of [`/${name}`, `／${name}`, `/${name.toUpperCase()}`])
      expect(read(body.replaceAll('$', sign))).toEqual([]);
  });
});

describe('parseCommands', () => {
  it('reads a name that is listed with its slash or in capitals, and keeps its spelling', () => {
    const { commands } = parseCommands('/stop now\n/Pause\n/ＲＥＴＲＹ', ['/stop', 'Pause', '／retry']);
    expect(commands.map(({ name, argument }) => [name, argument])).toEqual([
      ['/stop', 'now'],
      ['Pause', ''],
      ['／retry', ''],
    ]);
  });

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
