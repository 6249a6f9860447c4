import type { ForbiddenForm } from './forbidden-forms.ts';

/** What stands behind a name of a field in its declaration. */
const declared =
  '(?:string|str|text|varchar|char|number|int|integer|uuid|any|unknown|null|required|optional|unique|true|false)';

/** A password behind its field's name: in a value, the head noun does not make it code. */
export const toldForms: readonly ForbiddenForm[] = [
  {
    category: 'credentials',
    pattern:
      /\bpass ?(?:word|phrase|code)\b[^\n:=.;,]{0,30}(?:[:=]\s{0,3}|\bis\s{1,3}(?=["'`]))["'`]?(?!\d{1,4}\b)[^\s"'`]{4}/gi,
  },
  {
    category: 'credentials',
    pattern: /パス(?:ワード|フレーズ|コード)[^\n:=、。]{0,20}(?:[:=]|は)\s{0,3}["'「『]?[\x21-\x7e]{4}/g,
  },
  {
    category: 'credentials',
    pattern: new RegExp(
      `^\\s{0,3}(?:(?:user|account)[ _-]?name|(?:ユーザー?の?|アカウント)名)\\s{0,3}[:=]\\s{0,3}["'\`]?(?!${declared}\\b)[\\w.@-]{2,60}["'\`]?\\s{0,3}$`,
      'gi',
    ),
  },
];
