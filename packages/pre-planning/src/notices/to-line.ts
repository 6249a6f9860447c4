import { fitStart } from '../prompts/fit-start.ts';

const maxLineChars = 500;

/** Makes words of a model or a thread fit for a line of a comment. */
export type ToLine = (text: string) => string;

/**
 * One line, not too long, without secrets and invisible signs; it calls nobody, and formats, links, closes and commands
 * nothing. `redactOutgoing` sees the words as they are: afterwards no secret would look like itself.
 */
export function createToLine(redactOutgoing: (text: string) => string): ToLine {
  return (text) => disarm(fitStart(redactOutgoing(straighten(redactOutgoing(text))), maxLineChars));
}

/** Joiners stay: emoji and several languages are written with them. */
function straighten(text: string): string {
  return text
    .replace(/(?![\u200c\u200d])\p{Cf}+/gu, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}

/** What begins a line in Markdown (code in a line does not, a fence does), and the commands of GitLab and of this agent. */
const leadingSign = /^(?:[#>*+|=_[/-]|`{3,}|~{3,}|\d+(?=[.)](?: |$)))/;

/** A zero-width space keeps @names and closing words such as "fixes #1" from doing what they do on a forge. */
function disarm(line: string): string {
  return line
    .replace(/&(?=[a-z]+;)/gi, '&amp;')
    .replace(/<(?=[a-z!/?])/gi, '&lt;')
    .replace(/\](?=[([])/g, ']\\')
    .replace(/@(?=\w)/g, '@\u200b')
    .replace(/#(?=\d)/g, '#\u200b')
    .replace(leadingSign, (sign) => (/\d/.test(sign) ? `${sign}\\` : `\\${sign}`));
}

/** A list in Markdown of lines; `none` where it is empty. */
export function toList(lines: readonly string[], none: string): string {
  return (lines.length === 0 ? [none] : lines).map((line) => `- ${line}`).join('\n');
}
