import type { IncomingMessage } from '../message/incoming-message.ts';

export type Locale = 'ja' | 'en';

/** In which language to speak to the author of a message: the one it is written in, else the server's. */
export function chooseLocale(
  { content, guildLocale }: Pick<IncomingMessage, 'content' | 'guildLocale'>,
  setting: Locale | 'auto',
): Locale {
  if (setting !== 'auto') return setting;
  const words = content.replace(/<[^<>\s]*>|https?:\/\/\S+/g, '');
  if (/[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(words)) return 'ja';
  if (/\p{L}/u.test(words)) return 'en';
  return guildLocale?.startsWith('ja') === true ? 'ja' : 'en';
}
