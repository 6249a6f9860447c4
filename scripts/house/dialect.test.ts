import { describe, expect, it } from 'vitest';
import { countSentencesWithoutRole, findDialect, listComments, listProse, listStrings } from './dialect.ts';

describe('findDialect', () => {
  it('reports each word of the list with its place and the words to write', () => {
    const page = ['# Title', '', 'The model is told of it. Nobody', 'mends `what is told`.'].join('\n');
    expect(findDialect(listProse(new Map([['docs/a.md', page]])))).toEqual([
      { path: 'docs/a.md:3', message: '"is told": write receives, is sent, is shown' },
      { path: 'docs/a.md:3', message: '"Nobody": write the role, no one, anyone; or the passive' },
      { path: 'docs/a.md:3', message: '"mends": write fix, fixed' },
    ]);
  });

  it('reads table cells and list items, but no code', () => {
    const page = ['| a | goes on |', '|---|---|', '', '- anew', '', '```sh', 'echo anew', '```'].join('\n');
    expect(findDialect(listProse(new Map([['a.md', page]]))).map(({ message }) => message)).toHaveLength(2);
  });

  it('passes plain English', () => {
    const text =
      'The daemon retries failed requests. A trusted user can resume the run. Foreign keys are fine.';
    expect(findDialect([{ place: 'a', text }])).toEqual([]);
  });
});

describe('sources', () => {
  const source = [
    '/** Is obeyed. */',
    "const a = 'anew';",
    "const b = 'begins anew here';",
    'const c = `${' + 'a} goes on today`; // mended',
  ].join('\n');
  const sources = new Map([['packages/x/src/a.ts', source]]);

  it('have comments', () => {
    expect(findDialect(listComments(sources)).map(({ path }) => path)).toEqual([
      'packages/x/src/a.ts:1',
      'packages/x/src/a.ts:4',
    ]);
  });

  it('have strings of several words, templates included', () => {
    expect(findDialect(listStrings(sources)).map(({ path }) => path)).toEqual([
      'packages/x/src/a.ts:3',
      'packages/x/src/a.ts:4',
    ]);
  });
});

describe('countSentencesWithoutRole', () => {
  it('counts sentences with a pronoun instead of a role, per 1,000', () => {
    const text = 'What waits is retried. The daemon retries it. Run it. Users who write get an answer.';
    expect(countSentencesWithoutRole([{ place: 'a', text }])).toBe(667);
    expect(countSentencesWithoutRole([])).toBe(0);
  });
});
