import { PlatformError } from './platform-error.ts';

/**
 * The hidden first line of a comment that an agent keeps up to date. It only counts in comments of our own
 * account: anybody can copy it.
 *
 * @throws PlatformError `invalid` when the topic could end the HTML comment.
 */
export function formatCommentMarker(topic: string): string {
  if (!/^[^\s<>-](?:(?!--)[^\r\n<>])*$/u.test(topic) || /[\s-]$/u.test(topic)) {
    throw new PlatformError(
      `${JSON.stringify(topic.slice(0, 100))} cannot be the topic of a comment: use one line without "--", "<" and ` +
        '">" that neither begins nor ends with a space or a hyphen.',
      { code: 'invalid' },
    );
  }
  return `<!-- agent-comment: ${topic} -->`;
}

/** The topic of a comment that begins with a marker; null for every other comment. */
export function parseCommentMarker(body: string): string | null {
  return /^<!-- agent-comment: ([^\r\n<>]+) -->/u.exec(body)?.[1] ?? null;
}
