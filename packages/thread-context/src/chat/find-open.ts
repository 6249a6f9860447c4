import { isAwayNotice, isUnfinished } from './hidden-marks.ts';

/** A message of an answer that stands in the thread. */
export interface StandingPart {
  readonly id: string;
  readonly content: string;
}

/** A message of a channel or thread, as far as it tells what was answered. */
export interface SeenMessage {
  readonly id: string;
  readonly content: string;
  /** Tells whether the bot wrote it. */
  readonly isOwn: boolean;
  /** Id of the message that it replies to; null: none. */
  readonly repliesTo: string | null;
}

/** A message that has no answer, or one that is not whole. */
export interface OpenMessage {
  readonly id: string;
  /** Messages of an answer that stand, oldest first. */
  readonly standing: readonly StandingPart[];
}

/** All that a channel or thread lacks. */
export interface Unanswered {
  readonly open: readonly OpenMessage[];
  /** Messages of whole answers that still carry the mark of the unfinished. */
  readonly leftMarks: readonly StandingPart[];
}

/** Beginning of a thread. */
export interface FindOpenOptions {
  /** Id of the message that the thread was made from, if the messages begin with the thread; null: nothing stands for an answer to it. */
  readonly starterId: string | null;
}

/**
 * Finds what is not answered among the messages of people. The thread keeps the books: an answer replies to its message, its further
 * parts reply to its first one, and in a thread the first one without a reference answers the message that the thread was made from.
 * Any other own message without a reference answers all before it: without the permission to read the history an answer has none.
 *
 * @param messages oldest first
 * @example
 * const asked = { id: '10', content: 'Plan my day', isOwn: false, repliesTo: null };
 * findOpen([asked], { starterId: null }).open; // [{ id: '10', standing: [] }]
 */
export function findOpen(messages: readonly SeenMessage[], { starterId }: FindOpenOptions): Unanswered {
  const answers = new Map<string, SeenMessage[]>();
  const roots = new Map<string, string>();
  let starter = starterId;
  let settledUpTo = '';
  const settle = (id: string): void => {
    if (compareIds(id, settledUpTo) > 0) settledUpTo = id;
  };
  for (const message of messages.filter(({ isOwn }) => isOwn)) {
    const { id, repliesTo, content } = message;
    const root = repliesTo === null ? starter : (roots.get(repliesTo) ?? repliesTo);
    if (repliesTo === null) starter = null;
    settle(root === null ? id : isAwayNotice(content) ? root : '');
    if (root === null) continue;
    roots.set(id, root);
    answers.set(root, [...(answers.get(root) ?? []), message]);
  }
  const asked = messages.filter(({ isOwn }) => !isOwn).map(({ id }) => id);
  const open = [...(starterId === null ? [] : [starterId]), ...asked]
    .filter((id) => compareIds(id, settledUpTo) > 0)
    .map((id) => ({ id, standing: answers.get(id) ?? [] }))
    .filter(({ standing }) => standing.length === 0 || isLastUnfinished(standing));
  const leftMarks = [...answers.values()].flatMap((standing) =>
    isLastUnfinished(standing) ? [] : standing.filter(({ content }) => isUnfinished(content)),
  );
  return { open, leftMarks };
}

function isLastUnfinished(standing: readonly SeenMessage[]): boolean {
  return isUnfinished(standing.at(-1)?.content ?? '');
}

/** Orders ids of messages, older first: ids are decimal numbers, too large for `number`, that grow with time. */
export function compareIds(one: string, other: string): number {
  return one.length - other.length || one.localeCompare(other);
}
