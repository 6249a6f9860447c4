import type { Locale } from '@agent/text';
import { type Account, type Comment, isSameAccount, type OwnComment } from '../model.ts';
import { PlatformError } from '../platform-error.ts';
import type { WantedComment } from '../ports.ts';

/** The whole text of our comment on a topic: its marker, then as much of the body as the platform takes. */
export function composeOwnComment(
  comment: Pick<WantedComment, 'topic' | 'body' | 'note'>,
  options: FitCommentBodyOptions,
): string {
  const { topic, note } = comment;
  const marker = `${formatCommentMarker(topic)}\n${note === undefined ? '' : `${formatNote(note)}\n`}`;
  const maxChars = options.maxChars - marker.length;
  return marker + fitCommentBody(comment.body, { ...options, maxChars });
}

/** Our oldest comment on a topic among these. A marker in anybody else's comment does not count. */
export function findOwnComment(
  comments: readonly Comment[],
  own: { readonly topic: string; readonly account: Account },
): Comment | undefined {
  const marker = formatCommentMarker(own.topic);
  return comments.find(
    (comment) => comment.body.startsWith(marker) && isSameAccount(comment.author, own.account),
  );
}

/** Our comments among those of a thread, and which of them repeat another. */
export interface OwnCommentsFound {
  /** One for each topic and audience: the first in the order given. */
  readonly kept: readonly OwnComment[];
  /** Those that came later on the topic of one that is kept, for the same readers. */
  readonly younger: readonly OwnComment[];
}

/** Sorts out our comments that carry a topic. A marker in anybody else's comment does not count. */
export function sortOwnComments(comments: readonly Comment[], account: Account): OwnCommentsFound {
  const kept = new Map<string, OwnComment>();
  const younger: OwnComment[] = [];
  for (const comment of comments) {
    const topic = isSameAccount(comment.author, account) ? parseCommentMarker(comment.body) : null;
    if (topic === null) continue;
    const name = `${comment.visibility} ${topic}`;
    const own = { ...comment, topic, note: parseNote(comment.body) };
    if (kept.has(name)) younger.push(own);
    else kept.set(name, own);
  }
  return { kept: [...kept.values()], younger };
}

/** Tells whether two bodies say the same, however the platform stores line ends and trailing blanks. */
export function isSameBody(one: string, other: string): boolean {
  return stored(one) === stored(other);
}

const stored = (body: string) => body.replaceAll('\r\n', '\n').trimEnd();

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

const noteLine = /^<!-- agent-comment: [^\r\n<>]+ -->\r?\n<!-- agent-note: ([\w=:;,. -]*) -->/u;

function formatNote(note: string): string {
  if (!/^[\w=:;,. -]*$/u.test(note) || note.includes('--') || note.endsWith('-')) {
    const shown = JSON.stringify(note.slice(0, 100));
    throw new PlatformError(
      `${shown} cannot be the note of a comment: use letters, digits and "=:;,._ -", without "--".`,
      { code: 'invalid' },
    );
  }
  return `<!-- agent-note: ${note} -->`;
}

function parseNote(body: string): string | null {
  return noteLine.exec(body)?.[1] ?? null;
}

/** Longest length of a text, in UTF-16 code units, and language of the note about a cut. */
export interface FitCommentBodyOptions {
  readonly maxChars: number;
  readonly locale: Locale;
}

const notes: Record<Locale, string> = {
  ja: '*…（長すぎるため、ここから先は省略しました）*',
  en: '*… (too long: the rest was left out)*',
};

/**
 * Cuts a text to what a platform accepts and says so in its last line. A code block that the cut leaves open is
 * closed, and no character is cut in two.
 *
 * @example
 * fitCommentBody('x'.repeat(70_000), { maxChars: 65_536, locale: 'en' }); // ends with '*… (too long: the rest was left out)*'
 */
export function fitCommentBody(body: string, options: FitCommentBodyOptions): string {
  if (body.length <= options.maxChars) return body;
  const note = `\n\n${notes[options.locale]}`;
  const longestFence = 12;
  const kept = body.slice(0, Math.max(0, options.maxChars - note.length - longestFence));
  const whole = kept.replace(/[\ud800-\udbff]$/u, '');
  return whole + closingFence(whole).slice(0, longestFence) + note;
}

/** The text, with an end for the code block that it leaves open: what is written behind it is read as text. */
export function closeCodeBlock(text: string): string {
  return text + closingFence(text);
}

/** Looks at the left margin alone: a block in a list ends with its list, and one more mark would open another. */
function closingFence(text: string): string {
  let open: string | null = null;
  for (const line of text.split('\n')) {
    const [, indent = '', fence, info = ''] = /^( {0,3})(`{3,}|~{3,})(.*)$/su.exec(line) ?? [];
    if (fence === undefined) continue;
    if (open === null) open = indent === '' && isOpening(fence, info) ? fence : null;
    else if (fence.startsWith(open) && info.trim() === '') open = null;
  }
  return open === null ? '' : `\n${open}`;
}

function isOpening(fence: string, info: string): boolean {
  return fence.startsWith('~') || !info.includes('`');
}
