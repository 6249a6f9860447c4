const notice = '\u200b\u2060\u200b\u2060\u2060\u200b';

/** Ends with the mark of a notice, so that it is one. */
const beginning = `\u2060\u2060\u200b\u200b${notice}`;

/** Ends with the mark of a notice, too. */
const away = `\u2060\u200b\u200b\u2060${notice}`;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * Marks what the bot says on its own account, e.g. that the model did not answer. Nobody sees the mark, it survives
 * a restart because it stands in the text, and before the last character because platforms trim the ends.
 *
 * @see decision D13
 */
export function markNotice(text: string): string {
  return insert(text, notice);
}

/** Marks the notice with which a conversation begins anew. */
export function markBeginning(text: string): string {
  return insert(text, beginning);
}

/** Marks the notice that a message and those before it were not answered. */
export function markAway(text: string): string {
  return insert(text, away);
}

/** Tells whether a message of the bot says that others were not answered. */
export function isAwayNotice(content: string): boolean {
  return content.includes(away);
}

/** Tells whether a message of the bot is the notice with which a conversation begins anew. */
export function isBeginning(content: string): boolean {
  return content.includes(beginning);
}

function insert(text: string, mark: string): string {
  const last = [...segmenter.segment(text)].at(-1)?.index ?? 0;
  return text.slice(0, last) + mark + text.slice(last);
}

/** Tells whether a message of the bot is a notice of any kind. */
export function isNotice(content: string): boolean {
  return content.includes(notice);
}

/** An answer must not look like a notice, or it would be missing from the conversation. */
export function withoutNoticeMark(text: string): string {
  return text.replaceAll(notice, '');
}

const unfinished = '\u2060\u200b\u2060\u2060\u200b\u200b';

/** Bits of the key of a process. */
const keyBits = 16;

/** UTF-16 units that the mark takes. */
export const unfinishedMarkChars = `\n${unfinished}⏳`.length + keyBits;

/**
 * Marks a message of an answer after which more is to come: people see ⏳ below it, and nobody the rest, which tells whose it is.
 *
 * @param key of the process, from 0 up to but not 65,536
 */
export function markUnfinished(content: string, { key }: { readonly key: number }): string {
  return `${content}\n${toHidden(key)}${unfinished}⏳`;
}

function toHidden(key: number): string {
  return Array.from({ length: keyBits }, (_, bit) => ((key >> bit) & 1 ? '\u200d' : '\u200c')).join('');
}

/** Tells whether more was to come after a message. */
export function isUnfinished(content: string): boolean {
  return content.includes(unfinished);
}

/** True unless the mark of a message is that of another process. */
export function mayBeOwn(content: string, { key }: { readonly key: number }): boolean {
  return !isUnfinished(content) || content.includes(toHidden(key) + unfinished);
}

/** The message as it stands when nothing is to come any more. */
export function withoutUnfinishedMark(content: string): string {
  return content.replace(new RegExp(`\\n?[\u200c\u200d]{0,${keyBits}}${unfinished}⏳?`, 'g'), '');
}
