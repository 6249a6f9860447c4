import { isDeepStrictEqual } from 'node:util';
import { formatTaskKey, PlatformError } from '@agent/platforms';
import type {
  IntentResult,
  Json,
  NewIntent,
  Outbox,
  OutboxEntry,
  RunOverview,
  StorageSnapshots,
} from '@agent/run-store';
import { performPush } from '../delivery/push-work.ts';
import type { LateComment } from '../inbox/run-inbox.ts';
import { isTransient } from '../intents/call-with-retry.ts';
import type { DoIntent } from '../intents/do-intent.ts';
import { endIds, findLaterComment, type Intent, isOfPause, parseIntent } from '../intents/intents.ts';
import { addLateComments } from '../report/compose-final-comment.ts';
import { type Run, toWorkspaceTask } from '../run/run.ts';
import type { NextState } from '../triggers/task-trigger.ts';
import type { LastLook } from './last-look.ts';
import type { PerformEntry } from './settle-run.ts';

export interface PerformEntryOptions {
  readonly lastLook: LastLook;
  /** Lists the runs of this machine, to see whether a later one has taken the thread. */
  readonly readOverview: () => Promise<RunOverview>;
  /** Keeps the work of runs where other machines find it. Default none: they stay on this one. */
  readonly snapshots?: StorageSnapshots | undefined;
  /** Aborts a push. Default: nothing does. */
  readonly shutdown?: AbortSignal | undefined;
}

/** The entries of a run, beside the one that is carried out. */
interface At {
  readonly entry: OutboxEntry;
  readonly entries: readonly OutboxEntry[];
}

/** Creates what carries out the entry of an outbox, each kind in its way. */
export function createPerformEntry(options: PerformEntryOptions): PerformEntry {
  const { lastLook, readOverview, snapshots } = options;
  return async (run, at) => {
    const intent = parseIntent(at.entry);
    switch (intent.kind) {
      case 'comment':
        return done(await writeComment(run, intent.data, at));
      case 'label':
        return done(await showState(run, intent.data, { ...at, readOverview }));
      case 'last-look':
        return lookAgain(run, intent.data, { ...at, lastLook });
      case 'status-comment':
        await run.progress.rest(intent.data.state ?? 'ended', intent.data.position);
        return done({});
      case 'reaction':
        return done(await giveReaction(run, intent.data));
      case 'claim':
        await run.progress.rest('withdrawn');
        return done({});
      case 'worktree':
        return done(await removeWorktree(run, snapshots));
      case 'push':
        return pushLeft(run, intent.data, options);
      case 'review-request':
        return requestReview(run, intent.data);
      case 'change-request':
      case 'review-answer':
      case 'rerun':
      case 'hold':
      case 'access':
        return wantedNoMore;
    }
  };
}

type DataOf<Kind extends Intent['kind']> = Extract<Intent, { readonly kind: Kind }>['data'];

function done(made: Json): IntentResult {
  return { state: 'done', made };
}

const wantedNoMore: IntentResult = {
  state: 'given-up',
  by: 'the end of the run',
  reason: 'The run ended before this could be done.',
};

/** Pushes what a run that failed has left. A later run of the thread goes on from it, and pushes it with its own. */
async function pushLeft(
  run: Run,
  { unfinished }: DataOf<'push'>,
  { readOverview, snapshots, shutdown: signal }: PerformEntryOptions,
): Promise<IntentResult> {
  const task = toWorkspaceTask(run);
  if (!unfinished || task === null) return wantedNoMore;
  const later = findLaterRun(run, await readOverview());
  if (later !== null) return done({ left_to: later });
  const workspace = await run.thread.platform.workspaces.open(task, { snapshots, signal });
  return done(await performPush(run, { workspace, signal }));
}

/** A refusal ends it: the draft is there without a reviewer. */
async function requestReview(
  { thread: { ports }, logger }: Run,
  request: DataOf<'review-request'>,
): Promise<IntentResult> {
  try {
    await ports.changeRequests?.requestReview?.(request);
    return done({});
  } catch (error) {
    if (isTransient(error) || !PlatformError.isInstance(error)) throw error;
    logger.warn({ err: error, reviewer: request.account.login }, 'failed to request review of draft');
    return { state: 'given-up', by: 'the platform', reason: error.message };
  }
}

/** A comment that somebody deleted needs no answer. */
async function giveReaction({ thread: { ports } }: Run, reaction: DataOf<'reaction'>): Promise<Json> {
  try {
    await ports.reactions?.ensureReaction(reaction);
    return {};
  } catch (error) {
    if (!PlatformError.isInstance(error) || error.code !== 'not-found') throw error;
    const { getComment } = ports.reader;
    if (getComment !== undefined && (await getComment(reaction.commentId)) !== null) throw error;
    return { gone: true };
  }
}

async function writeComment(
  { thread: { ports } }: Run,
  comment: DataOf<'comment'>,
  { entry, entries }: At,
): Promise<Json> {
  const later = findLaterComment(entry, entries);
  if (later !== null) return { left_to: later };
  const { id, url } = await ports.writer.ensureComment(comment);
  return { id, url };
}

/** A later run of the thread shows a state of its own, which stays; so does a later state of this one. */
async function showState(
  run: Run,
  { state, takes }: DataOf<'label'>,
  { entry, entries, readOverview }: At & Pick<PerformEntryOptions, 'readOverview'>,
): Promise<Json> {
  const last = entries.findLast(({ kind }) => kind === 'label');
  if (last !== undefined && last.id !== entry.id) return { left_to: last.id };
  const later = findLaterRun(run, await readOverview());
  if (later !== null) return { left_to: later };
  await showRunState(run, { state, takes });
  return { state };
}

/** Brings the thread to a state, and leaves a request alone that somebody made after the one that the run answers. */
async function showRunState(
  { thread: { platform, ports } }: Pick<Run, 'thread'>,
  { takes, ...next }: DataOf<'label'> & Pick<NextState, 'signal' | 'thread'>,
): Promise<void> {
  const { signal } = next;
  const own = takes === null ? null : await platform.platform.identity.whoAmI({ signal });
  const answers = takes === null || own === null ? undefined : { at: takes, own };
  await platform.trigger.setState(ports, { ...next, answers });
}

/**
 * Shows that a run is at work; the last of its label entries says which request that answers. A label that an earlier attempt has set is not
 * set again: a user may have removed it.
 */
export async function showProcessing(
  run: Run,
  { doIntent, ...call }: Pick<NextState, 'signal' | 'thread'> & { readonly doIntent: DoIntent },
): Promise<void> {
  const { outbox, thread } = run;
  const label = toWorkLabel(thread);
  if (await hasShownWork(outbox, label)) return;
  const { id, kind, data } =
    findLabelEntry(await outbox.list()) ?? toProcessingIntent('begun', run.facts.handover?.at ?? null);
  const intent = parseIntent({ kind, data });
  if (intent.kind !== 'label') return;
  const perform = async () => {
    await showRunState(run, { ...intent.data, ...call });
    return { state: intent.data.state, label };
  };
  await doIntent(run, { intent: { id, kind, data }, perform });
}

/** Tells whether the run has set this label of a running task since it began or was resumed; false for null. */
export async function hasShownWork(outbox: Pick<Outbox, 'list'>, label: string | null): Promise<boolean> {
  const entry = label === null ? undefined : findLabelEntry(await outbox.list());
  return entry?.state === 'done' && (entry.made as { readonly label?: unknown }).label === label;
}

function findLabelEntry(entries: readonly OutboxEntry[]): OutboxEntry | undefined {
  return entries.findLast(({ kind, id }) => kind === 'label' && !isOfPause(id));
}

/** Label that a thread has while the run is at work; null where it has none, or labels cannot be changed. */
export function toWorkLabel({ platform, ports }: Pick<Run['thread'], 'platform' | 'ports'>): string | null {
  return ports.labels === null ? null : (platform.trigger.signs.workLabel ?? null);
}

/** Composes the intent to show that a run is at work. `since`: `begun`, or the resume that it follows. */
function toProcessingIntent(since: string, takes: string | null): NewIntent {
  return { id: `label:${since}`, kind: 'label', data: { state: 'processing', takes } };
}

/** Keeps which request resumed a run: the label that asked for it is taken away, one that somebody sets later stays. */
export async function openResumeLabel(
  { outbox, facts, thread: { platform, ports } }: Run,
  { resumeCount, signal }: { readonly resumeCount: number; readonly signal: AbortSignal },
): Promise<void> {
  const begunAt = facts.handover?.at ?? null;
  const given =
    begunAt === null ? 'unknown' : await platform.trigger.signs.listHandovers(ports, { since: null, signal });
  const last = given === 'unknown' ? null : (given[0]?.at ?? null);
  await outbox.open(toProcessingIntent(`resumed:${resumeCount}`, last ?? begunAt));
}

/** Finds the uuid of a run that has begun on the thread since. */
function findLaterRun({ uuid, startedAt, thread }: Run, overview: RunOverview): string | null {
  const { running, pausing, paused, recent } = overview;
  const live = [...running, ...pausing, ...paused].map(({ metadata }) => metadata);
  const { host } = thread.platform.platform;
  const taskKeyText = formatTaskKey(thread.ports.key);
  const later = [...live, ...recent].find(
    (one) =>
      one.uuid !== uuid && one.host === host && one.taskKeyText === taskKeyText && one.createdAt > startedAt,
  );
  return later?.uuid ?? null;
}

/** Waits until the final comment stands there, or nobody will write it any more. */
async function lookAgain(
  run: Run,
  { returns }: DataOf<'last-look'>,
  { entries, lastLook }: At & Pick<PerformEntryOptions, 'lastLook'>,
): Promise<IntentResult | null> {
  const find = (id: string) => entries.find((one) => one.id === id);
  const comment = find(endIds.comment);
  if (comment === undefined || comment.state === 'open' || find(endIds.label)?.state === 'open') return null;
  const finalCommentId = comment.state === 'done' ? (comment.made as { readonly id: string }).id : null;
  const late = await lastLook(run, { finalCommentId, endedAt: comment.settledAt, returns });
  const intent = parseIntent(comment);
  if (finalCommentId !== null && intent.kind === 'comment')
    await nameLate(run, intent.data, { late, entries });
  return done({ unanswered: late.filter(({ by }) => by !== null).map(({ comment: { id } }) => id) });
}

/** Has the final comment account for what came too late for it, as for all that came before. */
async function nameLate(
  { outbox, facts }: Run,
  { topic, body }: DataOf<'comment'>,
  { late, entries }: Pick<At, 'entries'> & { readonly late: readonly LateComment[] },
): Promise<void> {
  const comments = late.map(({ by, comment }) => ({ ...comment, kept: by !== null }));
  const whole = addLateComments(body, comments, facts.locale);
  if (whole === null) return;
  // A look that is repeated may find other comments than the one before: each account is an entry, and the last one stands.
  const before = entries.filter(({ id }) => id.startsWith(endIds.late));
  const data = { topic, body: whole };
  if (isDeepStrictEqual(before.at(-1)?.data, data)) return;
  await outbox.open({ id: `${endIds.late}:${before.length + 1}`, kind: 'comment', data });
}

/** Removes the worktree of a run that completed: its work is on the platform. */
async function removeWorktree(run: Run, snapshots: PerformEntryOptions['snapshots']): Promise<Json> {
  const task = toWorkspaceTask(run);
  if (task !== null) await run.thread.platform.workspaces.remove(task);
  await snapshots?.remove(run.uuid);
  return {};
}
