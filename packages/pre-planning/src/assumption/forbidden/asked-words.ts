import type { ForbiddenCategory } from './forbidden-words.ts';

/** Words that name a column as often as what stands in it: whether they count is said by what is next to them. */
export interface AskedWords {
  readonly category: ForbiddenCategory;
  /** Where a question asks for the thing itself; for words of English, as `toReadings` gives them. */
  readonly english: RegExp;
  readonly japanese: RegExp;
  /** Where a value tells of the thing itself. */
  readonly toldEnglish: RegExp;
  readonly toldJapanese: RegExp;
}

const names = '(?:user|account) ?names?|client ids?|public keys?|cookies?|jwts?';
const owners =
  'accounts?|admin|administrators?|root|users?|customers?|clients?|servers?|services?|apps?|applications?|owners?|databases?|sessions?|production|staging';
/** The end of a question, or a word that asks for what a thing holds. */
const asked = [
  '(?: zz zz zz|$)',
  ' (?:values?|lists?|settings?)\\b',
  ' (?:to (?:use|log|sign|connect)|used (?:to|for|by))\\b',
  ' for (?:signing|verif\\w{1,10}|encrypti\\w{1,5}|login|production|staging)\\b',
  ` of (?:(?:the|a|an|our|each|every|its) )?(?:\\w{1,30} ){0,2}(?:${owners})\\b`,
].join('|');
const types =
  'unique|required|optional|mandatory|indexed|sorted|stored|shown|used|unused|validated|checked|read|set|displayed|not|null|nullable|empty|case|limited|at|kept|parsed|signed|a|an|the|from|in|of|on|shared|string|text|varchar|char|number|integer|uuid';
const told = `(?:user ?names?|client ids?|account names?) (?:is|are) (?!(?:${types})\\b)[a-z0-9]`;

const namesJapanese =
  'ユーザー?の?名(?!前空間)|アカウント名|クライアントの?id(?![a-z])|(?:公開|共通)鍵|クッキー';
const askedJapanese =
  'zz zz zz|$|は何|か$|の?(?:値|設定|付与|リスト|範囲|レベル|内容|情報)|の?一覧(?!表示|画面|ページ)|を(?:教え|知る|確認)';
const toldJapanese = `(?:ユーザー?の?名|アカウント名|クライアントの?id)は(?!(?:${types})(?![a-z]))[a-z0-9]`;

/** @see decision E7 */
export const askedWords: readonly AskedWords[] = [
  {
    category: 'credentials',
    english: new RegExp(
      `\\b(?<!\\b(?:by|per|unique|no) )(?:${names})(?=${asked})|\\bjwts? (?:are |is )?(?:signed|signing|verified)\\b|\\b${told}`,
    ),
    japanese: new RegExp(`(?:${namesJapanese})(?=${askedJapanese})|${toldJapanese}`),
    toldEnglish: new RegExp(`\\b${told}|\\b(?:${names}) values?\\b`),
    toldJapanese: new RegExp(`${toldJapanese}|(?:${namesJapanese})の?値`),
  },
  {
    category: 'security',
    // Of English, `permissions` beside settings stands among the words that always count.
    english: /\bpermissions? (?:of|for) (?:the )?(?:\w{1,30} )?(?:account|user|role|token|admin)s?$/,
    japanese: new RegExp(`権限(?=${askedJapanese})`),
    toldEnglish: /\bpermissions? (?:is|are) (?:read|write|admin|granted|full)\b/,
    toldJapanese: /権限(?:は|の?(?:設定|付与|レベル)|を[^、。]{0,6}付与)/,
  },
];
