const code =
  'functions?|class(?:es)?|methods?|modules?|files?|packages?|types?|variables?|constants?|branch(?:es)?|repositor(?:y|ies)|tests?|tables?|columns?|components?|commands?|projects?|options?';
const languageTools =
  'lexers?|parsers?|tokenizers?|tokenisers?|scanners?|grammars?|language|syntax|source|sentences?|texts?|prompts?|models?|expressions?';

/** Of English, as words: what says "token" and means a piece of text, a price or a colour. */
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

/** Of Japanese without spaces; kanji with which 本名, 実名 and 本番 make other words stand before them. */
const japanese: readonly RegExp[] = [
  /(?:デザイン|字句解析(?:器)?|構文解析(?:器)?|レキサー|レクサー|パーサー?|入力|出力|最大|プロンプト|コンテキスト|補完)の?トークン/g,
  /トークンの?(?:数|使用量|消費|予算|上限|制限|総量|単価|化|列)|トークンあたり/g,
  /[基日標資脚原台見根謄](?:本名|本番)|本名目|[事現真史忠充口]実名/g,
  /クッキー(?:バナー|同意)|窓口座|[レサ]ポート番号/g,
];

const gone = ' . ';

/** The words without idioms in which a forbidden word means something else. */
export function withoutIdioms(words: string): string {
  return english.reduce((text, idiom) => text.replace(idiom, gone), words);
}

/** The same for Japanese without spaces. */
export function withoutJapaneseIdioms(text: string): string {
  return japanese.reduce((rest, idiom) => rest.replace(idiom, gone), text);
}

export const harmlessIdioms: readonly RegExp[] = [...english, ...japanese];
