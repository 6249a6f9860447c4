/** A text made to take long. */
export interface WorstInput {
  readonly name: string;
  readonly text: string;
}

/** Repeated to just so many UTF-16 units. */
export function fill(pattern: string, length: number): string {
  return pattern.repeat(Math.ceil(length / pattern.length)).slice(0, length);
}

const patterns: Readonly<Record<string, string>> = {
  'beginnings of comments': '<!--',
  'comments in a sentence': 'a <!-- x --> ',
  'unended comments of every kind': 'a <!-- <? <!a <![CDATA[ ',
  'comments that make comments': `${'<!'.repeat(50)}<!-- x -->${'-- y -->'.repeat(50)}\n\n`,
  'processing instructions in HTML': '<div><? >\n',
  'opening brackets': '[',
  'brackets in pairs': '[a]',
  'openings of images': '![',
  'beginnings of links': '[a](',
  'beginnings of titles': '[a](b "',
  'images with texts': '![a b](c)',
  'signs of tags': '<',
  'beginnings of tags': '<a ',
  'tags in the attributes of tags': '<a b="<a b=" ',
  'quotes in quotes': `<a b='<a c="' `,
  'attributes without end': 'x <a b=c d=e ',
  'addresses without end': '<http:a',
  'names of mail without end': '<a.b+',
  elements: '<div>',
  'hidden elements': 'a<b hidden>',
  'styles with much space': '<b style="color          :">',
  'backticks of two lengths': '` `` ',
  'backticks behind escaped ones': '\\``x',
  'lines of fences': '```\n',
  'fences with info': '```a b\nc\n```\n',
  'signs of quotes': '> > > > > > > > a\n',
  'deep quotes': `${'>'.repeat(500)}a\n`,
  'items in items': '- - - - - - - a\n',
  'items in a row': '- `a`\n',
  'blank lines in deep items': `${'- '.repeat(30)}a${'\n'.repeat(500)}`,
  definitions: '[a]: b\n',
  'definitions with titles': '[a]: b "\n',
  footnotes: '[^a]: b\n',
  'rules of tables': 'a | `b` | c\n-|-|-\n',
  'character references': '&#x200b;',
  ampersands: '&a',
  backslashes: '\\',
  'spaces and a sign': ' '.repeat(2_000).concat('<'),
  'zero-width spaces': '\u200b',
  'zero-width spaces between letters': 'a\u200b',
  'tag characters': '\u{e0041}',
  'joined pictures': '👩\u200d',
  'variation selectors behind Han': '葛\u{e0100}',
  'marks of direction': 'a\u200e',
  'controls of direction in code': '`\u202e`',
  'controls of direction in a fence': '\u202ea',
  'letters of many marks': 'a\u0301\u034f\u0302',
};

/** Every sort of text that makes one way of cleaning or another slow. */
export function makeWorstInputs(length: number): readonly WorstInput[] {
  return [
    ...Object.entries(patterns).map(([name, pattern]) => ({ name, text: fill(pattern, length) })),
    { name: 'controls of direction in one fence', text: fill(`\`\`\`\n${'a\u202e'.repeat(length)}`, length) },
    { name: 'backticks of rising lengths', text: makeRising(length) },
    { name: 'brackets around brackets', text: '['.repeat(length / 2) + ']'.repeat(length / 2) },
    { name: 'images around images', text: '!['.repeat(length / 4) + '](a)'.repeat(length / 8) },
    { name: 'elements around elements', text: fill('<b hidden>', length / 2) + fill('</b>', length / 2) },
    { name: 'items deeper and deeper', text: makeStairs(length) },
    { name: 'one tag of many attributes', text: `<a${fill(' b=c', length - 3)}>` },
  ];
}

function makeRising(length: number): string {
  let text = '';
  for (let count = 1; text.length < length; count += 1) text += `${'`'.repeat(count)} `;
  return text.slice(0, length);
}

function makeStairs(length: number): string {
  let text = '';
  for (let depth = 0; text.length < length; depth += 1) text += `${'  '.repeat(depth)}- a\n`;
  return text.slice(0, length);
}

const pieces = [
  ...[
    '<!--',
    '-->',
    '<',
    '>',
    '<a ',
    '</a>',
    'b="',
    "c='",
    '"',
    "'",
    '[',
    ']',
    '![',
    '](',
    ')',
    '(',
    ']:',
    '`',
    '``',
    '```\n',
  ],
  ...[
    '\n',
    '\n\n',
    '> ',
    '- ',
    '1. ',
    '    ',
    '\t',
    '&#x200b;',
    '&',
    '\\',
    '\u200b',
    '\u202e',
    '\u200d',
    '👩',
    'م',
    '|',
    '-',
    '=',
  ],
];

/** Short rows of pieces, repeated: always the same ones. */
export function makeRandomInputs(count: number, length: number): readonly WorstInput[] {
  const draw = createDraw(20_261_122);
  return Array.from({ length: count }, () => {
    const pattern = Array.from({ length: 1 + draw(6) }, () => pieces[draw(pieces.length)] ?? '').join('');
    return { name: JSON.stringify(pattern), text: fill(pattern, length) };
  });
}

/** Whole numbers below a limit, the same ones for the same seed (a linear congruential generator). */
function createDraw(seed: number): (limit: number) => number {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}
