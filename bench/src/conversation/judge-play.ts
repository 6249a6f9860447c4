import type { Conversation } from './conversation.ts';

/** What a model was sent in one call. */
export interface ModelCall {
  /** Texts of the messages of the user, oldest first. */
  readonly userMessages: readonly string[];
}

/** What came of a play, as the model's endpoint saw it. */
export interface Play {
  /** All calls of programs that were alive, oldest first. A call that a kill broke off is one, and its repetition another. */
  readonly calls: readonly ModelCall[];
  /** For each act of the conversation the index of the call during which it was done; null where the play ended before. */
  readonly doneAt: readonly (number | null)[];
}

/** A number out of another. */
export interface Share {
  readonly of: number;
  readonly heard: number;
}

/** Judgement of one play. */
export interface Judgement {
  readonly comments: number;
  /** Ids of comments that stand in no message of the user of the final conversation. */
  readonly lost: readonly string[];
  /** Ids of those that stand in more than one. */
  readonly duplicated: readonly string[];
  /** For each comment and edit that was heard, the calls that began after it and lacked it. */
  readonly late: readonly { readonly id: string; readonly calls: number }[];
  /** Ids of comments that stand before one that was said earlier. */
  readonly outOfOrder: readonly string[];
  readonly edits: Share;
  readonly deletions: Share;
  /** Acts that were never done: the play ended before their turn. */
  readonly undone: number;
}

/** A comment with all that became of it. */
interface Comment {
  readonly id: string;
  readonly revisions: { readonly text: string; readonly doneAt: number }[];
  isDeleted: boolean;
}

/** Judges a play by what the model was asked, and by nothing else. */
export function judgePlay({ acts }: Conversation, { calls, doneAt }: Play): Judgement {
  const comments = listComments(acts, doneAt);
  const final = calls.at(-1)?.userMessages ?? [];
  const standing = comments.filter(({ isDeleted }) => !isDeleted);
  const edited = standing.filter(({ revisions }) => revisions.length > 1);
  const deleted = comments.filter((comment) => comment.isDeleted && findPlace(final, comment) !== null);
  return {
    comments: comments.length,
    lost: standing.filter((comment) => findPlace(final, comment) === null).map(({ id }) => id),
    duplicated: comments.filter((comment) => isTwice(final, comment)).map(({ id }) => id),
    late: comments.flatMap((comment) => listDelays(calls, comment)),
    outOfOrder: findMisplaced(final, comments),
    edits: toShare(edited, ({ revisions }) => holds(final, revisions.at(-1)?.text ?? '')),
    deletions: toShare(deleted, (comment) => final.some((message) => tellsDeletion(message, comment))),
    undone: doneAt.filter((at) => at === null).length,
  };
}

function listComments(acts: Conversation['acts'], doneAt: Play['doneAt']): readonly Comment[] {
  const comments = new Map<string, Comment>();
  for (const [index, act] of acts.entries()) {
    const at = doneAt[index] ?? null;
    if (at === null) continue;
    const comment = comments.get(act.id) ?? { id: act.id, revisions: [], isDeleted: false };
    comments.set(act.id, comment);
    if (act.do === 'delete') comment.isDeleted = true;
    else comment.revisions.push({ text: act.text, doneAt: at });
  }
  return [...comments.values()];
}

function holds(messages: readonly string[], text: string): boolean {
  return messages.some((message) => message.includes(text));
}

/** Gives the place of a comment's first appearance, whatever its text was then; null where it has none. */
function findPlace(messages: readonly string[], { revisions }: Comment): readonly [number, number] | null {
  for (const [index, message] of messages.entries()) {
    const found = revisions.map(({ text }) => message.indexOf(text)).filter((at) => at >= 0);
    if (found.length > 0) return [index, Math.min(...found)];
  }
  return null;
}

/** Tells whether one text of a comment stands in several messages; one that tells of an edit or a deletion may quote what was said before. */
function isTwice(messages: readonly string[], comment: Comment): boolean {
  return comment.revisions.some(({ text }, revision) => {
    const later = comment.revisions.slice(revision + 1);
    const holders = messages.filter(
      (message) =>
        message.includes(text) &&
        !later.some((other) => message.includes(other.text)) &&
        !tellsDeletion(message, comment),
    );
    return holders.length > 1;
  });
}

const headChars = 40;
const noticeChars = 80;

/** Tells whether a message says, shortly before the comment's first words, that it was deleted. */
function tellsDeletion(message: string, { revisions, isDeleted }: Comment): boolean {
  if (!isDeleted) return false;
  const line = message.replaceAll(/\s+/gu, ' ');
  return revisions.some(({ text }) => {
    const head = text.replaceAll(/\s+/gu, ' ').trim().slice(0, headChars);
    for (let at = line.indexOf(head); at >= 0; at = line.indexOf(head, at + 1)) {
      if (/delet/iu.test(line.slice(Math.max(0, at - noticeChars), at))) return true;
    }
    return false;
  });
}

/** Counts, for what was heard, the calls that began after it was said and lacked it. What was edited before it was heard was heard by the edit. */
function listDelays(calls: readonly ModelCall[], { id, revisions }: Comment): Judgement['late'] {
  return revisions.flatMap(({ doneAt }, revision) => {
    const texts = revisions.slice(revision).map(({ text }) => text);
    const heardAt = calls.findIndex(
      ({ userMessages }, index) => index > doneAt && texts.some((text) => holds(userMessages, text)),
    );
    return heardAt === -1 ? [] : [{ id, calls: heardAt - doneAt - 1 }];
  });
}

function findMisplaced(messages: readonly string[], comments: readonly Comment[]): readonly string[] {
  const places = comments.flatMap((comment) => {
    const place = findPlace(messages, comment);
    return place === null ? [] : [{ id: comment.id, place }];
  });
  const isBefore = (a: readonly [number, number], b: readonly [number, number]) =>
    a[0] < b[0] || (a[0] === b[0] && a[1] < b[1]);
  return places
    .filter(({ place }, index) => places.slice(0, index).some((earlier) => isBefore(place, earlier.place)))
    .map(({ id }) => id);
}

function toShare(comments: readonly Comment[], isHeard: (comment: Comment) => boolean): Share {
  return { of: comments.length, heard: comments.filter(isHeard).length };
}
