const mark = '\u2060\u200b\u2060\u2060\u200b\u200b';

/** Bits of the key of a process. */
const keyBits = 16;

/** UTF-16 units that the mark takes. */
export const unfinishedMarkChars = `\n${mark}⏳`.length + keyBits;

/**
 * Marks a message of an answer after which more is to come: people see ⏳ below it, and nobody the rest, which tells whose it is.
 *
 * @param key of the process, from 0 up to but not 65,536
 */
export function markUnfinished(content: string, { key }: { readonly key: number }): string {
  return `${content}\n${toHidden(key)}${mark}⏳`;
}

function toHidden(key: number): string {
  return Array.from({ length: keyBits }, (_, bit) => ((key >> bit) & 1 ? '\u200d' : '\u200c')).join('');
}

/** Tells whether more was to come after a message. */
export function isUnfinished(content: string): boolean {
  return content.includes(mark);
}

/** True unless the mark of a message is that of another process. */
export function mayBeOwn(content: string, { key }: { readonly key: number }): boolean {
  return !isUnfinished(content) || content.includes(toHidden(key) + mark);
}

/** The message as it stands when nothing is to come any more. */
export function withoutUnfinishedMark(content: string): string {
  return content.replace(new RegExp(`\\n?[\u200c\u200d]{0,${keyBits}}${mark}⏳?`, 'g'), '');
}
