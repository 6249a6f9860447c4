import { detectLocale, type Locale } from '@agent/text';
import type { IncomingMessage } from '../message/incoming-message.ts';

/** In which language to speak to the author of a message: the one it is written in, else the server's. */
export function chooseLocale(
  { content, guildLocale }: Pick<IncomingMessage, 'content' | 'guildLocale'>,
  setting: Locale | 'auto',
): Locale {
  if (setting !== 'auto') return setting;
  const words = content.replace(/<[^<>\s]*>|https?:\/\/\S+/g, '');
  return detectLocale(words) ?? (guildLocale?.startsWith('ja') === true ? 'ja' : 'en');
}
