const mark = '\u2060\u200b\u2060\u2060\u200b\u200b';

/** Stands below a part of an answer until what follows it stands; nobody sees the first half, everybody the second. */
const ending = `\n${mark}⏳`;

/** UTF-16 units that the mark takes. */
export const unfinishedMarkChars = ending.length;

/** Marks a message of an answer after which more is to come. */
export function markUnfinished(content: string): string {
  return content + ending;
}

/** Tells whether more was to come after a message. */
export function isUnfinished(content: string): boolean {
  return content.includes(mark);
}

/** The message as it stands when nothing is to come any more. */
export function withoutUnfinishedMark(content: string): string {
  return content.replace(ending, '').replaceAll(mark, '');
}
