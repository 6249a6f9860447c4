import { findChatCode } from '@agent/text';

/** Whatever else a reader may take for the end of a line. */
const otherLineBreak = /[\r\v\f\u0085\u2028\u2029]/;

/** Nothing but what nobody sees. */
const invisible = /^[\s\p{Default_Ignorable_Code_Point}\p{Cc}]*$/u;

/** Every line ends in LF and in nothing else. */
export function toLineFeeds(text: string): string {
  return otherLineBreak.test(text) ? text.replace(/\r\n|[\r\v\f\u0085\u2028\u2029]/g, '\n') : text;
}

/**
 * A message's text as the transcript holds it: trimmed, lines ended by LF, several blanks made one. Code keeps its
 * blanks. Empty where there is nothing to see.
 *
 * @see seed 003 §5.2 (`normalize`), decision D3
 */
export function normalizeText(text: string): string {
  const lines = toLineFeeds(text);
  if (invisible.test(lines)) return '';
  let result = '';
  let reached = 0;
  for (const { start, end } of findChatCode(lines)) {
    result += collapse(lines.slice(reached, start)) + lines.slice(start, end);
    reached = end;
  }
  return (result + collapse(lines.slice(reached))).trim();
}

/**
 * The text without the mentions of an account, in both of Discord's spellings.
 *
 * @see seed 003 §4.2, §5.2 (`stripBotMention`)
 * @see https://docs.discord.com/developers/reference#message-formatting
 */
export function stripMention(text: string, userId: string): string {
  if (!text.includes('<@')) return text;
  return text.replaceAll(`<@${userId}>`, '').replaceAll(`<@!${userId}>`, '');
}

function collapse(text: string): string {
  if (!/[ \t][ \t\n]|\t/.test(text)) return text;
  return text.replace(/[ \t]{2,}|\t/g, ' ').replaceAll(' \n', '\n');
}
