import type { ModelMessage } from 'ai';

/**
 * Cuts the middle out of a text that is too long, and says so in its place; never inside a character that takes
 * two code units. Start and end of an output are where its sense is.
 */
export function fitToolOutput(text: string, { maxChars }: { readonly maxChars: number }): string {
  if (text.length <= maxChars) return text;
  const note = `\n… (${text.length} characters in all; the middle is left out) …\n`;
  const room = Math.max(0, maxChars - note.length);
  const head = Math.ceil(room / 2);
  const tail = room - head;
  return `${cutEnd(text, head)}${note}${cutStart(text, tail)}`;
}

/** The first characters of a text, with a mark where more followed. */
export function fitStart(text: string, { maxChars }: { readonly maxChars: number }): string {
  return text.length <= maxChars ? text : `${cutEnd(text, maxChars - 1)}…`;
}

function cutEnd(text: string, length: number): string {
  return text.slice(0, isHighSurrogate(text.charCodeAt(length - 1)) ? length - 1 : length);
}

function cutStart(text: string, length: number): string {
  const start = text.length - length;
  return text.slice(isHighSurrogate(text.charCodeAt(start - 1)) ? start + 1 : start);
}

function isHighSurrogate(codeUnit: number): boolean {
  return codeUnit >= 0xd800 && codeUnit <= 0xdbff;
}

const tokensPerMessage = 4;
const tokensPerFile = 1_500;

/** Tokens of a message: its texts, the calls it makes, the results it carries. */
export function countMessageTokens(message: ModelMessage, countTokens: (text: string) => number): number {
  const { content } = message;
  if (typeof content === 'string') return tokensPerMessage + countTokens(content);
  return content.reduce((sum, part) => sum + countPartTokens(part, countTokens), tokensPerMessage);
}

function countPartTokens(part: { readonly type: string }, countTokens: (text: string) => number): number {
  // A picture costs by its size on the screen, not by its bytes.
  if (part.type === 'file' || part.type === 'image') return tokensPerFile;
  return countTokens(JSON.stringify(part));
}
