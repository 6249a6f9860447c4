/** A language in which people are spoken to. */
export type Locale = 'ja' | 'en';

/**
 * Tells the language of a text: Japanese where it has kana or kanji, English where it has other letters; null without any letter.
 *
 * @example
 * detectLocale('合計を直す'); // 'ja'
 * detectLocale('42'); // null
 */
export function detectLocale(text: string): Locale | null {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(text)) return 'ja';
  return /\p{L}/u.test(text) ? 'en' : null;
}

/**
 * The language of a command line: Japanese where the environment asks for it, English everywhere else.
 *
 * @see decision X9
 * @see https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/V1_chap08.html#tag_08_02
 *
 * @example
 * processLocale({ LANG: 'ja_JP.UTF-8' }); // 'ja'
 */
export function processLocale(environment: Readonly<Record<string, string | undefined>>): Locale {
  const named = environment.LC_ALL || environment.LC_MESSAGES || environment.LANG || '';
  return /^ja(?:[_.@-]|$)/i.test(named) ? 'ja' : 'en';
}
