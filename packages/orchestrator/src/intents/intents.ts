import { isDeepStrictEqual } from 'node:util';
import type { ReviewRequest } from '@agent/platforms';
import type { NewIntent, OutboxEntry, Outcome, RecordPosition } from '@agent/run-store';
import { z } from 'zod';
import { isDone, shownStates } from '../outcome/outcome.ts';
import type { TaskState } from '../triggers/task-trigger.ts';

/** States that a label of a run may show. */
const taskState = z.enum([
  'waiting',
  'processing',
  'completed',
  'partial',
  'paused',
  'stopped',
  'failed',
] satisfies TaskState[]);

/** Place of the record at a pause; nothing moves it while the run waits. */
const position = z.object({ line: z.number(), check: z.string() });

const intentSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('comment'),
    data: z.object({
      topic: z.string(),
      body: z.string(),
      since: z.null().optional(),
      internal: z.boolean().optional(),
    }),
  }),
  z.object({
    kind: z.literal('label'),
    data: z.object({ state: taskState, takes: z.string().nullable() }),
  }),
  z.object({ kind: z.literal('last-look'), data: z.object({ returns: z.boolean() }) }),
  z.object({
    kind: z.literal('status-comment'),
    data: z.object({ state: z.enum(['paused', 'watching']).optional(), position: position.optional() }),
  }),
  z.object({ kind: z.literal('worktree'), data: z.object({}) }),
  z.object({ kind: z.literal('claim'), data: z.object({}) }),
  z.object({ kind: z.literal('hold'), data: z.object({}) }),
  z.object({ kind: z.literal('access'), data: z.object({}) }),
  z.object({
    kind: z.literal('reaction'),
    data: z.object({ meaning: z.enum(['done', 'refused']), commentId: z.string() }),
  }),
  z.object({ kind: z.literal('push'), data: z.object({ branch: z.string(), unfinished: z.boolean() }) }),
  z.object({ kind: z.literal('change-request'), data: z.object({ branch: z.string() }) }),
  z.object({
    kind: z.literal('review-request'),
    data: z.object({
      number: z.number(),
      account: z.object({ id: z.string(), login: z.string(), kind: z.enum(['person', 'bot']) }),
    }),
  }),
  z.object({
    kind: z.literal('review-answer'),
    data: z.object({ reviewThread: z.string(), topic: z.string(), body: z.string() }),
  }),
  z.object({
    kind: z.literal('rerun'),
    data: z.object({ head: z.string(), name: z.string(), attempt: z.string() }),
  }),
]);

/**
 * Something that a run wants done outside of it. `comment`: one comment of ours on this topic. `label`: the sign of a state, which answers the
 * request that was made at `takes` (ISO 8601, by the platform's clock; null where the platform does not say): a
 * request that somebody made after it stays. `last-look`: a look at the thread once the final comment stands there; where it `returns`, what
 * nobody answers makes the thread wait again. `status-comment`: its last form, or that of a pause. `worktree`: its removal. `claim`: the removal of its
 * own status comment, by a run that leaves the thread to another. `hold`: its status comment, which claims the thread. `access`: access
 * to the platform or git, which was refused to a run at work. `push`: the commit that its id
 * names, on this branch; `unfinished` where it is what a run left that failed. `change-request`: the draft for a branch. `review-request`: a
 * review of the draft that the run opened, by the user who asked for the task.
 * `reaction`: the answer to a command on its comment. `review-answer`: our answer in a review thread of the change request.
 * `rerun`: a check of its head once more; `attempt` is the id of the one that failed.
 */
export type Intent = z.infer<typeof intentSchema>;

/** Reads the intent of an entry. @throws ZodError for an entry that this program did not write */
export function parseIntent({ kind, data }: Pick<OutboxEntry, 'kind' | 'data'>): Intent {
  return intentSchema.parse({ kind, data });
}

/** Ids of pushes: each names its commit, and whether a run that failed left it. */
export const pushIds = {
  of: ({ commit, unfinished }: { readonly commit: string; readonly unfinished: boolean }): string =>
    `${unfinished ? 'push-unfinished' : 'push'}:${commit}`,
};

/** Answer to the command of a comment. */
export interface CommandAnswer {
  readonly meaning: 'done' | 'refused';
  readonly commentId: string;
}

/** Composes the intent to answer the command of a comment. */
export function toReactionIntent(data: CommandAnswer): NewIntent {
  return { id: `reaction:${data.meaning}:${data.commentId}`, kind: 'reaction', data: { ...data } };
}

const reviewRequestStart = 'review-request:';

/** Composes the intent to request a review of a draft. There is one for each draft. */
export function toReviewRequestIntent({ number, account: { id, login, kind } }: ReviewRequest): NewIntent {
  const data = { number, account: { id, login, kind } };
  return { id: `${reviewRequestStart}${number}`, kind: 'review-request', data };
}

/** Ids of the intents that follow from the end of a run. */
export const endIds = {
  comment: 'end:comment',
  label: 'end:label',
  look: 'end:look',
  /** Final comment once more, with what came too late for the run. */
  late: 'end:late',
  status: 'end:status-comment',
  worktree: 'end:worktree',
  /** Claim of a run that withdraws. */
  claim: 'end:claim',
  /** Label that a last look gives back. */
  return: 'end:return',
} as const;

/** An end, as far as its intents go. */
export interface EndToShow {
  readonly uuid: string;
  readonly status: Outcome;
  readonly finalComment: string;
  /** Time of the request that the run answers; null where the platform does not say. */
  readonly takes: string | null;
}

/**
 * Lists what follows from the end of a run, in the order in which it is done: the comment stands before the label says so, and the
 * last look comes after both. The worktree of a run that stopped or failed may hold work that is nowhere else.
 */
export function listEndIntents({ uuid, status, finalComment, takes }: EndToShow): readonly NewIntent[] {
  const isComplete = isDone(status);
  const worktree = { id: endIds.worktree, kind: 'worktree', data: {} };
  return [
    { id: endIds.comment, kind: 'comment', data: { topic: `run:${uuid}:final`, body: finalComment } },
    { id: endIds.label, kind: 'label', data: { state: shownStates[status], takes } },
    { id: endIds.look, kind: 'last-look', data: { returns: isComplete } },
    { id: endIds.status, kind: 'status-comment', data: {} },
    ...(isComplete ? [worktree] : []),
  ];
}

const commentIdStart = 'comment:';

/**
 * Composes the intent to write a comment: that of the last entry on its topic if it says the same, else a new one. Of several
 * entries on one topic the last one counts.
 */
export function toCommentIntent(
  { topic, body, since, internal }: CommentData,
  entries: readonly OutboxEntry[],
): NewIntent {
  const data = { topic, body, ...(since === null && { since }), ...(internal === true && { internal }) };
  const earlier = entries.filter(({ id }) => id.startsWith(`${commentIdStart}${topic}#`));
  const last = earlier.at(-1);
  const isSame = last !== undefined && isDeepStrictEqual(last.data, data);
  const id = isSame ? last.id : `${commentIdStart}${topic}#${earlier.length + 1}`;
  return { id, kind: 'comment', data };
}

/** Composes the intent to claim the thread, or to get access: the entry that is open, else a new one. */
export function toOpenIntent(kind: 'hold' | 'access', entries: readonly OutboxEntry[]): NewIntent {
  const earlier = entries.filter((entry) => entry.kind === kind);
  const last = earlier.at(-1);
  const id = last?.state === 'open' ? last.id : `${kind}:${earlier.length + 1}`;
  return { id, kind, data: {} };
}

type CommentData = Extract<Intent, { readonly kind: 'comment' }>['data'];

/** Finds the later entry that replaces the comment of a run at work; null if there is none. */
export function findLaterComment({ id, data }: OutboxEntry, entries: readonly OutboxEntry[]): string | null {
  if (!id.startsWith(commentIdStart)) return null;
  const { topic } = data as CommentData;
  const last = entries.findLast((one) => one.kind === 'comment' && (one.data as CommentData).topic === topic);
  return last === undefined || last.id === id ? null : last.id;
}

/** Tells whether an entry says that a user resumed the run. */
export function isOfResume(id: string): boolean {
  return id.startsWith('label:resumed:');
}

/** Tells whether an entry shows a pause. */
export function isOfPause(id: string): boolean {
  return id.startsWith('pause:');
}

/** Tells whether an entry is executed while its run waits: it shows the pause, answers a command, is a notice or requests a review. */
export function isOfRest(id: string): boolean {
  return (
    isOfPause(id) || ['reaction:', commentIdStart, reviewRequestStart].some((start) => id.startsWith(start))
  );
}

/** Lists what shows a pause, in the order in which it is done. `count`: resumes before it; `body`: null for one that needs no comment. */
export function listPauseIntents(pause: {
  readonly uuid: string;
  readonly count: number;
  readonly body: string | null;
  /** Default a comment for each pause. */
  readonly topic?: string | undefined;
  /** Place of the record, which the status comment notes. */
  readonly position: RecordPosition;
}): readonly NewIntent[] {
  const { uuid, count, body, position, topic = `run:${uuid}:paused:${count}` } = pause;
  const of = (name: string) => `pause:${count}:${name}`;
  return [
    ...(body === null ? [] : [{ id: of('comment'), kind: 'comment', data: { topic, body } }]),
    {
      id: of('status-comment'),
      kind: 'status-comment',
      data: { state: 'paused', position: { ...position } },
    },
    { id: of('label'), kind: 'label', data: { state: 'paused', takes: null } },
  ];
}

/**
 * Lists what shows that a run has delivered and waits for its change request, in the order in which it is done: the thread shows its result as
 * at an end. Its worktree goes: the next round begins with one that stands at the head of then.
 */
export function listWatchIntents(watch: {
  readonly uuid: string;
  readonly count: number;
  /** Outcome of the run so far. */
  readonly outcome: Outcome;
  /** The comment that tells people of the delivery, edited at each round. */
  readonly body: string;
  readonly position: RecordPosition;
  /** Time of the request that the run answers; null where the platform does not say. */
  readonly takes: string | null;
}): readonly NewIntent[] {
  const { uuid, count, outcome, body, position, takes } = watch;
  const of = (name: string) => `pause:${count}:${name}`;
  return [
    { id: of('comment'), kind: 'comment', data: { topic: `run:${uuid}:delivered`, body } },
    {
      id: of('status-comment'),
      kind: 'status-comment',
      data: { state: 'watching', position: { ...position } },
    },
    { id: of('label'), kind: 'label', data: { state: shownStates[outcome], takes } },
    { id: of('worktree'), kind: 'worktree', data: {} },
  ];
}

/** Finds when the request was made that the run answers now: that of its beginning, or the one that resumed it last. */
export function findTaken(entries: readonly OutboxEntry[], begunAt: string | null): string | null {
  const taken = entries
    .filter(({ id }) => !isOfPause(id))
    .map(parseIntent)
    .flatMap((intent) => (intent.kind === 'label' && intent.data.takes !== null ? [intent.data.takes] : []));
  return taken.at(-1) ?? begunAt;
}
