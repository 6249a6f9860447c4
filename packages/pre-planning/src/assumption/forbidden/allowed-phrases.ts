import { forbiddenWords } from './forbidden-words.ts';

const code =
  'functions?|class(?:es)?|methods?|modules?|files?|packages?|types?|variables?|constants?|branch(?:es)?|repositor(?:y|ies)|tests?|tables?|columns?|components?|commands?|projects?|options?';
const languageTools =
  'lexers?|parsers?|tokeni[sz]ers?|scanners?|grammars?|language|syntax|source|sentences?|texts?|prompts?|models?|expressions?';

/** Phrases of English that say "token" and mean a piece of text, a price or a color. */
const english: readonly RegExp[] = [
  /\b(?:max|maximum|min|minimum|total|input|output|prompt|completion|context|cached|reasoning|design|theme|lexer|lexical|parser|syntax|cancellation|special) tokens?\b/g,
  /\btokens? (?:counts?|counters?|limits?|budgets?|usage|estimates?|streams?|buckets?|per (?:second|minute|request|day))\b/g,
  /\b(?:number|amount|count) of tokens\b/g,
  new RegExp(`\\btokens? (?:of|from|in) (?:(?:the|a|an|its) )?(?:${languageTools})\\b`, 'g'),
  new RegExp(
    `\\b(?:full|real|legal) names? of (?:(?:the|a|an|each|every|this|that) )?(?:\\w{1,30} )?(?:${code})\\b`,
    'g',
  ),
  /\bcookies? (?:banners?|consents?|parsers?|notices?|jars?)\b/g,
  /\berlang otp\b|\botp (?:behaviou?rs?|supervisors?|applications?|releases?)\b/g,
];

/** Phrases of Japanese without spaces; kanji with which 本名, 実名 and 本番 make other words stand before them. */
const japanese: readonly RegExp[] = [
  /(?:デザイン|字句解析(?:器)?|構文解析(?:器)?|レキサー|レクサー|パーサー?|入力|出力|最大|プロンプト|コンテキスト|補完)の?トークン/g,
  /トークンの?(?:数|使用量|消費|予算|上限|制限|総量|単価|化|列)|トークンあたり/g,
  /[基日標資脚原台見根謄](?:本名|本番)|本名目|[事現真史忠充口]実名/g,
  /クッキー(?:バナー|同意)|窓口座|[レサ]ポート番号/g,
];

/** Head nouns of code: what is asked for is how it is written, not what it holds. */
const heads =
  'validations?|validators?|formats?|lengths?|columns?|fields?|components?|librar(?:y|ies)|layouts?|middlewares?|screens?|forms?|inputs?|placeholders?|labels?|tests?|fixtures?|templates?|functions?|methods?|class(?:es)?|helpers?|parsers?|file ?names?';
const headsJapanese =
  '長さ?|文字数|桁数|形式|フォーマット|表示(?!名)|並び順|ソート|列|カラム|欄|項目|フィールド|テスト(?!用|値|データ|アカウント|ユーザ|環境)|バリデーション|入力(?!値)|検証(?!環境)|画面|コンポーネント|レイアウト|ミドルウェア|ライブラリ|テンプレート|正規表現|プレースホルダー?|ラベル|関数|メソッド|クラス|ファイル(?:名|の?(?:場所|パス|形式))';

/** A question whose head noun is code: the password's field is none of the password. */
const codeEnglish: readonly RegExp[] = [
  ...forbiddenWords.flatMap(({ english: words }) => [
    new RegExp(
      `${words.source}(?: (?:max|maximum|min|minimum|input|form|hash|reset|update))? (?:${heads})\\b(?! (?:and )?(?:the |its )?values?\\b)`,
      'g',
    ),
    new RegExp(
      `${words.source} (?:is|are) (?:validated|tested|rendered|displayed|parsed|formatted|sorted)\\b`,
      'g',
    ),
  ]),
  /\b(?:which|what) (?:environment ?|env ?)(?:variables?|vars?) (?:is|are) (?:read|used|loaded|parsed|documented)\b/g,
  /\b(?:dot ?)?env (?:examples?|samples?|templates?)\b/g,
];
const codeJapanese: readonly RegExp[] = forbiddenWords.map(
  ({ japanese: words }) =>
    new RegExp(`(?:${words.source})の?(?:最大|最小|最低|最長)?(?:${headsJapanese})(?![とのや]?値)`, 'g'),
);

const gone = ' . ';

/** The words without idioms in which a forbidden word means something else. */
export function withoutAllowedPhrases(words: string): string {
  return [...english, ...codeEnglish].reduce((text, idiom) => text.replace(idiom, gone), words);
}

/** The same for Japanese without spaces. */
export function withoutAllowedJapanesePhrases(text: string): string {
  return [...japanese, ...codeJapanese].reduce((rest, idiom) => rest.replace(idiom, gone), text);
}

export const allowedPhrases: readonly RegExp[] = [...english, ...japanese, ...codeEnglish, ...codeJapanese];
