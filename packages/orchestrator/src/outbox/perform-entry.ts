import { formatTaskKey } from '@agent/platforms';
import type { IntentResult, Json, NewIntent, OutboxEntry, RunOverview } from '@agent/run-store';
import { ListLagsError } from '../inbox/delivered-comments.ts';
import type { OpenRunInbox } from '../inbox/open-run-inbox.ts';
import type { LateComment } from '../inbox/run-inbox.ts';
import { addLateComments } from '../report/compose-final-comment.ts';
import { type HandoverRecords, toRecordedThread, type UnansweredRecords } from '../run/handover-records.ts';
import { type Run, toWorkspaceTask } from '../run/run.ts';
import type { NextState } from '../triggers/task-trigger.ts';
import { endIds, type Intent, parseIntent } from './intents.ts';
import type { PerformEntry } from './settle-run.ts';

export interface PerformEntryOptions {
  readonly lastLook: LastLook;
  /** Lists the runs of this machine, to see whether a later one has taken the thread. */
  readonly readOverview: () => Promise<RunOverview>;
}

/** The entries of a run, beside the one that is carried out. */
interface At {
  readonly entry: OutboxEntry;
  readonly entries: readonly OutboxEntry[];
}

/** Creates what carries out the entry of an outbox, each kind in its way. */
export function createPerformEntry({ lastLook, readOverview }: PerformEntryOptions): PerformEntry {
  return async (run, at) => {
    const intent = parseIntent(at.entry);
    switch (intent.kind) {
      case 'comment':
        return done(await writeComment(run, intent.data));
      case 'label':
        return done(await showState(run, intent.data, { readOverview }));
      case 'last-look':
        return lookAgain(run, intent.data, { ...at, lastLook });
      case 'status-comment':
        await run.claim.end();
        return done({});
      case 'worktree':
        return done(await removeWorktree(run));
    }
  };
}

type DataOf<Kind extends Intent['kind']> = Extract<Intent, { readonly kind: Kind }>['data'];

function done(made: Json): IntentResult {
  return { state: 'done', made };
}

async function writeComment({ thread: { ports } }: Run, comment: DataOf<'comment'>): Promise<Json> {
  const { id, url } = await ports.writer.ensureComment(comment);
  return { id, url };
}

/** A later run of the thread shows a state of its own, which stays. */
async function showState(
  run: Run,
  { state, takes }: DataOf<'label'>,
  { readOverview }: Pick<PerformEntryOptions, 'readOverview'>,
): Promise<Json> {
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

/** Request to show that a run is at work; the last of its label entries says which request that answers. */
export async function showProcessing(run: Run, call: Pick<NextState, 'signal' | 'thread'>): Promise<void> {
  const { outbox, facts } = run;
  await outbox.open(toProcessingIntent('begun', facts.handover?.at ?? null));
  const entry = (await outbox.list()).findLast(({ kind }) => kind === 'label');
  if (entry === undefined) return;
  const intent = parseIntent(entry);
  if (intent.kind !== 'label') return;
  await showRunState(run, { ...intent.data, ...call });
  await outbox.settle(entry.id, { state: 'done', made: { state: intent.data.state } });
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
  if (finalCommentId !== null && intent.kind === 'comment') await nameLate(run, intent.data, late);
  return done({ unanswered: late.filter(({ by }) => by !== null).map(({ id }) => id) });
}

/** Has the final comment account for what came too late for it, as for all that came before. */
async function nameLate(
  { outbox, facts }: Run,
  { topic, body }: DataOf<'comment'>,
  late: readonly LateComment[],
): Promise<void> {
  const comments = late.map(({ by, comment }) => ({ ...comment, kept: by !== null }));
  const whole = addLateComments(body, comments, facts.locale);
  // A look that is repeated may find more than the one before.
  const id = `${endIds.late}:${late.length}`;
  if (whole !== null) await outbox.open({ id, kind: 'comment', data: { topic, body: whole } });
}

/** Removes the worktree of a run that completed: its work is on the platform. */
async function removeWorktree(run: Run): Promise<Json> {
  const task = toWorkspaceTask(run);
  if (task !== null) await run.thread.platform.workspaces.remove(task);
  return {};
}

export interface LastLookOptions {
  /** True where threads are listened to. */
  readonly isEnabled: boolean;
  readonly openRunInbox: OpenRunInbox;
  readonly handovers: Pick<HandoverRecords, 'keep'>;
  readonly unanswered: Pick<UnansweredRecords, 'add'>;
}

export interface LookedFor {
  /** Null where nobody will write one. */
  readonly finalCommentId: string | null;
  /** When it was written or given up (ISO 8601), by our clock. */
  readonly endedAt: string;
  /** True where what nobody answers makes the thread wait for a run again. */
  readonly returns: boolean;
}

/** Looks once more. @returns the comments that came too late, oldest first */
export type LastLook = (run: Run, asked: LookedFor) => Promise<readonly LateComment[]>;

/**
 * A list that does not show the final comment in so many looks of a process, a quarter of a minute after the first, does not lag: somebody
 * deleted it, or the adapter does not list it.
 */
const lagLooks = 5;

/**
 * Creates the look after the end of a run: what somebody who may steer said before the final comment stood there, and no
 * answer takes up, is kept for the opening of the next run, by its id; after a run that completed the thread waits for that
 * one already. What is said after the final comment is said to a run that has ended. Repeating it is safe.
 *
 * @throws what kept it from being looked at or judged: "could not ask" is not "nothing was said"
 * @see decision B21
 */
export function createLastLook({
  isEnabled,
  openRunInbox,
  handovers,
  unanswered,
}: LastLookOptions): LastLook {
  const lagging = new Map<string, number>();
  return async (run, { finalCommentId, endedAt, returns }) => {
    if (!isEnabled) return [];
    const { uuid, facts, startedAt, thread, outbox, logger } = run;
    const { platform, ports } = thread;
    const lagged = lagging.get(uuid) ?? 0;
    const inbox = await openRunInbox(run);
    const mayLag = finalCommentId !== null && lagged + 1 < lagLooks;
    const late = await inbox
      .findLate({ finalCommentId, endedAt: mayLag ? null : endedAt })
      .catch((error: unknown) => {
        if (error instanceof ListLagsError) lagging.set(uuid, lagged + 1);
        throw error;
      });
    lagging.delete(uuid);
    const found = late.flatMap(({ id, by }) => (by === null ? [] : [{ id, by }]));
    const [first] = found;
    if (first === undefined) return late;
    const named = toRecordedThread(ports.key, platform.platform);
    const ids = found.map(({ id }) => id);
    await unanswered.add(named, ids);
    logger.info(
      { comments: ids.length },
      'comments came too late for this run; they are kept for the next one',
    );
    if (!returns || !platform.trigger.signs.canReturn(ports)) return late;
    const since = facts.handover?.at ?? startedAt;
    await handovers.keep(named, { by: first.by, since, commentId: first.id });
    await outbox.open({ id: endIds.return, kind: 'label', data: { state: 'waiting', takes: null } });
    logger.info({}, 'a comment came too late for this run; its thread waits for another');
    return late;
  };
}
