const marker = '\u200b\u2060\u200b\u2060\u2060\u200b';

/** Ends with the mark of a notice, so that it is one. */
const beginning = `\u2060\u2060\u200b\u200b${marker}`;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * Marks what the bot says on its own account, e.g. that the model did not answer. Nobody sees the mark, it survives
 * a restart because it stands in the text, and before the last character because Discord trims the ends.
 *
 * @see decision D13
 */
export function markNotice(text: string): string {
  return insert(text, marker);
}

/** Marks the notice with which a conversation begins anew. */
export function markBeginning(text: string): string {
  return insert(text, beginning);
}

/** Whether a message of the bot is that notice. */
export function isBeginning(content: string): boolean {
  return content.includes(beginning);
}

function insert(text: string, mark: string): string {
  const last = [...segmenter.segment(text)].at(-1)?.index ?? 0;
  return text.slice(0, last) + mark + text.slice(last);
}

/** Whether a message of the bot is such a notice. */
export function isNotice(content: string): boolean {
  return content.includes(marker);
}

/** An answer must not look like a notice, or it would be missing from the conversation. */
export function withoutMarker(text: string): string {
  return text.replaceAll(marker, '');
}
