import { checkOptions, expectNumber } from './check-options.ts';

/** Makes words of a model or a thread fit for a line of a comment. */
export type ToLine = (text: string) => string;

/**
 * One line of at most `maxChars` characters (default 500; escapes come on top), without secrets and invisible signs; it calls nobody, and formats, links, closes and commands
 * nothing. `redactOutgoing` sees the words as they are: afterwards no secret would look like itself.
 */
export function createToLine(
  redactOutgoing: (text: string) => string,
  options: { readonly maxChars?: number } = {},
): ToLine {
  checkOptions('The options of createToLine', options, { maxChars: expectNumber(0, { isWhole: true }) });
  const { maxChars = 500 } = options;
  return (text) => escapeMarkdown(cut(redactOutgoing(collapseSpace(redactOutgoing(text))), maxChars));
}

function cut(line: string, maxChars: number): string {
  return line.length <= maxChars ? line : `${line.slice(0, maxChars - 1).toWellFormed()}…`;
}

/** Joiners stay: emoji and several languages are written with them. */
function collapseSpace(text: string): string {
  return text
    .replace(/(?![\u200c\u200d])\p{Cf}+/gu, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}

/** Sign that begins a line in Markdown (code in a line does not, a fence does), and the commands of GitLab and of this agent. */
const leadingSign = /^(?:[#>*+|=_[/-]|`{3,}|~{3,}|\d+(?=[.)](?: |$)))/;

/** A zero-width space keeps @names and closing words such as "fixes #1" from doing what they do on a forge. */
function escapeMarkdown(line: string): string {
  return line
    .replace(/&(?=[a-z]+;)/gi, '&amp;')
    .replace(/<(?=[a-z!/?])/gi, '&lt;')
    .replace(/\](?=[([])/g, ']\\')
    .replace(/@(?=\w)/g, '@\u200b')
    .replace(/#(?=\d)/g, '#\u200b')
    .replace(leadingSign, (sign) => (/\d/.test(sign) ? `${sign}\\` : `\\${sign}`));
}
