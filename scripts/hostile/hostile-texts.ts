/** Pieces that made something slow once, or are made like those that did; repeated, they are a text that nobody writes. */
const pieces: Readonly<Record<string, string>> = {
  tabs: '\t',
  spaces: ' ',
  'line feeds': '\n',
  'carriage returns': '\r',
  'line separators': '\u2028',
  'blank lines with tabs': '\t\n',
  backticks: '`',
  'backticks and line feeds': '```\n',
  tildes: '~',
  'tildes and line separators': '~~~\u2028',
  'opening brackets': '[',
  'openings of images': '![',
  'openings of links': '[a](',
  'labels and titles': '[a]: b "\n',
  parentheses: '(',
  braces: '{',
  quotes: '"',
  'less-than signs': '<',
  'beginnings of comments': '<!--',
  'beginnings of tags': '<a b="',
  'nested sub': '<sub>',
  'titles of terminals': '\u001b]0;',
  'control sequences': '\u001b[0;',
  'single escapes': '\u001b',
  'families without end': '👩\u200d',
  'Han and selectors': '葛\u{e0100}',
  'marks of direction': 'א\u200f',
  'letters and marks': 'a\u0301',
  'halves of pairs': '\ud83d',
  'tag characters': '\u{e0041}',
  'zero-width spaces': 'a\u200b',
  'equals signs': '=',
  'begin text': '=== BEGIN ',
  slashes: '/',
  'commands without end': '/a_',
  'signs of quotes': '> ',
  items: '- ',
  'rules of tables': '|-',
  'rows of tables': 'a|`b`\n-|-\n',
  dollars: '$',
  'phantoms in phantoms': '$\\phantom{',
  backslashes: '\\',
  ampersands: '&#x',
  addresses: 'http://a:',
  'mail addresses': 'a@',
  words: 'a ',
  'one word': 'a',
  'one word in capitals': 'A',
  digits: '1',
  Japanese: '規',
  colons: ':',
  dashes: '-----BEGIN ',
  'think tags': '<think>',
  'JSON without end': '{"a":[',
  diagrams: '```mermaid\nabcde[f]\n',
  footnotes: '[^a]',
};

/** A text that is made to take long. */
export interface HostileText {
  readonly name: string;
  /** Repeated to so many UTF-16 units. */
  readonly make: (length: number) => string;
}

const fill = (piece: string, length: number) =>
  piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

/** Every sort of text that is made to take long. */
export const hostileTexts: readonly HostileText[] = [
  ...Object.entries(pieces).map(([name, piece]) => ({ name, make: (length: number) => fill(piece, length) })),
  {
    name: 'the rule of a table between tabs',
    make: (length) => `a \`b\` c\n${fill('\t', length / 2)}-${fill('\t', length / 2)}:`,
  },
  { name: 'a diagram of blank lines', make: (length) => `\`\`\`mermaid\n${fill(' \n', length)}` },
  { name: 'a block of line feeds', make: (length) => `\`\`\`\n${fill('\n', length)}` },
  {
    name: 'a fence and line separators',
    make: (length) => `${fill('~', length / 2)}${fill('\u2028', length / 2)}`,
  },
  { name: 'brackets in brackets', make: (length) => fill('[', length / 2) + fill(']', length / 2) },
  { name: 'braces in braces', make: (length) => fill('{', length / 2) + fill('}', length / 2) },
];
