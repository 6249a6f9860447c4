import { cutAtGrapheme } from '@agent/text';
import { isVisible } from '../text/is-visible.ts';

/** UTF-16 units. @see https://docs.discord.com/developers/resources/channel#start-thread-from-message */
const maxNameChars = 100;

/**
 * Names a thread after its first question: `{bot}: {text}`, or `{bot}: conversation` where there is no text.
 *
 * @see seed 003 §4.4
 */
export function toThreadName(botName: string, text: string): string {
  const start = `${botName}: `;
  const line = text.replace(/\s+/gu, ' ').trim();
  const fitting = cutAtGrapheme(line, maxNameChars - start.length).trim();
  return `${start}${isVisible(fitting) ? fitting : 'conversation'}`;
}
