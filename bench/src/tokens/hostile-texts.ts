/** GitHub's longest comment. */
const length = 65_536;

const repeat = (piece: string): string => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

/** Comments that stall or break tokenizers: long runs without a place to split, and words that they take for their own. */
export const hostileTexts: Readonly<Record<string, string>> = {
  'one letter': repeat('a'),
  'one sign': repeat('='),
  'line ends': repeat('\n'),
  'kanji without punctuation': repeat('契約条項変更承認手続必要書類一覧表作成担当者確認'),
  'words of tokenizers': repeat('<|endoftext|>'),
  emoji: repeat('👨‍👩‍👧‍👦'),
  'halves of pairs': repeat('\ud83d'),
};
