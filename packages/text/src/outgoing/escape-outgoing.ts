import { checkOptions } from '../check-options.ts';
import { fenceOf } from '../code-fence.ts';
import { removeEnvelopeLines } from '../wrap-untrusted-text.ts';
import {
  escapeOutgoingMarkdown,
  type OutgoingMarkdownOptions,
  outgoingMarkdownExpectations,
} from './outgoing-markdown.ts';
import { findPlainEdits, findTitleEdits } from './outgoing-prose.ts';
import { applyTextEdits } from './text-edits.ts';

/**
 * Markdown as it may leave: without invisible signs and lines of envelopes, and doing nothing but being read.
 *
 * @example
 * escapeOutgoingText('@octocat, this fixes #1'); // '@\u200boctocat, this f\u200bixes #\u200b1'
 */
export function escapeOutgoingText(text: string, options: OutgoingMarkdownOptions = {}): string {
  checkOptions('OutgoingMarkdownOptions', options, outgoingMarkdownExpectations);
  return escapeOutgoingMarkdown(removeEnvelopeLines(toVisible(text)), options);
}

/**
 * A text that is no Markdown, such as the message of a commit: it sends no notification, closes nothing and skips no pipeline.
 *
 * @example
 * escapeOutgoingMessage('Ask @octocat\n\nRefs #7\n'); // 'Ask @\u200boctocat\n\nRefs #7\n'
 */
export function escapeOutgoingMessage(text: string): string {
  const visible = removeEnvelopeLines(toVisible(text));
  return applyTextEdits(visible, findPlainEdits(visible));
}

/** GitHub refuses titles of more than 256 characters. */
const maxTitleChars = 256;

/**
 * One line of at most 256 characters, for titles: it also names no other thread, but for a number
 * at its end. Numbers of commits stay.
 *
 * @example
 * escapeOutgoingLine('Ask\n@octocat'); // 'Ask @\u200boctocat'
 */
export function escapeOutgoingLine(text: string): string {
  const line = removeEnvelopeLines(toVisible(text.replace(/\s+/g, ' ').trim()));
  return [...applyTextEdits(line, findTitleEdits(line))].slice(0, maxTitleChars).join('');
}

/** Commands to a terminal: colors, cursors, titles, links. */
const terminalSequences =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  /(?:\u001b\[|\u009b)[0-?]{0,99}[ -/]{0,9}[@-~]|\u001b\][^\u0007\u001b\n]{0,2000}(?:\u0007|\u001b\\)/g;

/**
 * Removes the characters that reorder letters, act on terminals, carry hidden text or mask code here. Nothing is removed
 * later: a secret is searched for in the text that this returns.
 */
export function toVisible(text: string): string {
  return (
    text
      .toWellFormed()
      .replace(/\r\n?|[\u2028\u2029]/g, '\n')
      .replace(terminalSequences, '')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '')
      .replace(/[\ue000\ue001\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu, '')
  );
}

/**
 * A name that somebody else chose, as code on one line of Markdown that it cannot leave: with anything but letters, digits
 * and the signs of usual paths it is written as a JSON string.
 *
 * @example
 * toCodeSpan('src/total.ts'); // '`src/total.ts`'
 */
export function toCodeSpan(name: string): string {
  const isUsual = /^[\p{L}\p{M}\p{N}_./@+#=,-]+(?: [\p{L}\p{M}\p{N}_./@+#=,-]+)*$/u.test(name);
  const shown = isUsual ? name : toJson(name);
  const fence = fenceOf(shown, 1);
  return `${fence}${shown}${fence}`;
}

/** Writes a name as a JSON string in which everything is escaped that is not seen, or changes what is seen. */
function toJson(name: string): string {
  return JSON.stringify(name).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (sign) =>
    Array.from(
      { length: sign.length },
      (_, at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}
