import type { ChangeRequest } from '@agent/platforms';
import type { RunTools } from '@agent/runner';
import { formatTime } from '@agent/text';
import { type FollowUpSettings, toWatchMs } from '../config/follow-up-settings.ts';
import { isDone } from '../outcome/outcome.ts';
import type { ComposeFinalComment } from '../report/compose-final-comment.ts';
import type { Run } from '../run/run.ts';
import {
  type Delivery,
  type JudgedOutcome,
  type ReportedEnding,
  readRunStatistics,
} from '../run/run-ending.ts';
import { changeRequestKindOf } from '../run/run-facts.ts';
import type { AnswerReviews } from './answer-reviews.ts';
import { beginRound, isAtWork, type RoundInbox } from './begin-round.ts';
import {
  type BegunRound,
  type FollowUpRecord,
  isRenewed,
  listOverRounds,
  readFollowUp,
  readWatchWish,
  withWish,
  writeFollowUp,
} from './follow-up-record.ts';
import { openRequestReview, toRequestKey } from './followed-request.ts';
import { createReviewAnswerTool } from './review-answer-tool.ts';
import { followUpTexts } from './texts.ts';
import { openRequestWatch, type RequestWatchOptions } from './watch-request.ts';

export interface FollowUpOptions {
  /** Null where only `/watch` has runs stay with their change requests. */
  readonly settings: FollowUpSettings | null;
  readonly composeFinalComment: ComposeFinalComment;
  readonly answerReviews: AnswerReviews;
  readonly watch: RequestWatchOptions;
  /** Milliseconds after which a run that waits is not resumed any more. */
  readonly longestMs: number;
  /** IANA name. */
  readonly timeZone: string;
  readonly now: () => number;
}

/** End of a watch, or a pause on which it goes on; with what was delivered. */
export interface WatchEnding {
  readonly outcome: JudgedOutcome;
  readonly delivery: Delivery;
}

interface EnterOptions {
  readonly isToldToStop: boolean;
  /** Opens the inbox that the run goes on with. */
  readonly hear: () => Promise<RoundInbox>;
}

/** Lets a run stay with the change request that it opened. */
export interface FollowUp {
  /**
   * Begins what the run goes on with after it waited: a round, which is told to the model, or the end of the watch.
   *
   * @returns the end, or the pause where there is nothing to do; null for a round, and for a run that did not wait
   */
  readonly enter: (run: Run, asked: EnterOptions) => Promise<WatchEnding | null>;
  /** Keeps that a run which waited was resumed: its next round is due. Before whoever asked for it is told so; safe to repeat. */
  readonly resume: (run: Pick<Run, 'state'>) => Promise<void>;
  /** Opens the tools of a round; null for a run that is in none. */
  readonly openTools: (run: Run) => Promise<RunTools | null>;
  /** Keeps that a run which has delivered waits now. @returns the pause; null for a run that ends with its delivery */
  readonly wait: (run: Run, ending: ReportedEnding) => Promise<JudgedOutcome | null>;
}

/** Creates it. */
export function createFollowUp(options: FollowUpOptions): FollowUp {
  return {
    enter: async (run, { isToldToStop, hear }) => {
      const record = await readFollowUp(run.state);
      if (record === null || (await isAtWork(run, record))) return null;
      const end = await findEnd(run, { record, isToldToStop, now: options.now() });
      if (end !== null) return endWatch(run, record, end);
      // Delivered, and left before it was paused: it waits for what it waited for.
      if (record.isWaiting) return toPaused(run, record);
      return enterRound(options, run, { record, inbox: await hear() });
    },
    resume: async ({ state }) => {
      const record = await readFollowUp(state);
      if (record?.isWaiting)
        await writeFollowUp(state, { ...record, isWaiting: false, round: record.round + 1 });
    },
    openTools: async (run) =>
      (await readFollowUp(run.state)) === null ? null : { answer_review_thread: createReviewAnswerTool(run) },
    wait: async (run, ending) => {
      const record = await readFollowUp(run.state);
      const settings = await chooseSettings(options, run);
      const number = ending.delivery.changeRequest?.number ?? record?.number ?? null;
      const { outcome } = ending;
      if (!isDone(outcome.status) || settings === null || number === null) return null;
      if (record?.end != null || !canWatch(run, number)) return null;
      if (record !== null) await options.answerReviews(run, ending);
      const kept = await keepWaiting(options, run, { record, number, settings, ending });
      run.logger.info({ number, deadline: kept.deadline }, 'waiting for reviews and checks');
      return { ...outcome, status: 'needs_input', waitsFor: toWait(kept) };
    },
  };
}

/** Null where the run is to end with its delivery. */
async function chooseSettings(
  { settings }: FollowUpOptions,
  { state }: Pick<Run, 'state'>,
): Promise<FollowUpSettings | null> {
  const wish = await readWatchWish(state);
  if (wish?.name === 'unwatch' || (settings === null && wish === null)) return null;
  return withWish(settings, wish);
}

/** Tells whether the platform shows reviews and checks of what an issue led to. */
function canWatch({ facts, thread: { platform, ports } }: Run, number: number): boolean {
  return facts.kind === 'issue' && openRequestReview(platform, { key: ports.key, number }) !== null;
}

async function findEnd(
  { state }: Run,
  asked: { readonly record: FollowUpRecord; readonly isToldToStop: boolean; readonly now: number },
): Promise<FollowUpRecord['end']> {
  const { record, isToldToStop, now } = asked;
  const wish = await readWatchWish(state);
  if (isToldToStop || wish?.name === 'unwatch') return 'asked';
  const isOver = now >= Date.parse(record.deadline) && !isRenewed(record, wish);
  return record.end ?? (isOver ? 'deadline' : null);
}

async function endWatch(
  run: Run,
  record: FollowUpRecord,
  end: NonNullable<FollowUpRecord['end']>,
): Promise<WatchEnding> {
  const { state, facts, thread, logger } = run;
  await writeFollowUp(state, { ...record, end });
  const statistics = await readRunStatistics(run);
  const { outcome: status, reason, errorClass } = record;
  const judged = { status, reason, errorClass };
  const finalText = followUpTexts[facts.locale].ends[end](changeRequestKindOf(thread.ports.key));
  logger.info({ end, rounds: listOverRounds(record).length }, 'stopped watching pull request');
  return {
    outcome: { ...judged, finalText, statistics },
    delivery: record.delivery,
  };
}

async function toPaused(run: Run, record: FollowUpRecord): Promise<WatchEnding> {
  const statistics = await readRunStatistics(run);
  const waitsFor = toWait(record);
  return {
    outcome: { status: 'needs_input', reason: null, finalText: null, statistics, waitsFor },
    delivery: record.delivery,
  };
}

function toWait({ number, deadline }: Pick<FollowUpRecord, 'number' | 'deadline'>) {
  return { kind: 'follow-up', id: `follow-up:${number}`, until: deadline } as const;
}

/**
 * Begins the round that is due. What woke the run, it has to see by itself: where its own look at the change request finds no reason for
 * a round, it waits on.
 */
async function enterRound(
  options: FollowUpOptions,
  run: Run,
  { record, inbox }: { readonly record: FollowUpRecord; readonly inbox: RoundInbox },
): Promise<WatchEnding | null> {
  const request = await (record.isWoken
    ? lookForReason(options.watch, run, inbox)
    : readRequest(run, record));
  const { end } = (await readFollowUp(run.state)) ?? record;
  if (end !== null) return endWatch(run, record, end);
  if (request !== 'none') {
    await beginRound(run, { record, inbox: inbox.inbox, request });
    return null;
  }
  const rounds = listOverRounds(record);
  const round = record.round - 1;
  const waiting = {
    ...{ ...record, ...(await renew(options, run, record)) },
    ...{ isWaiting: true, isWoken: false, round, rounds },
  };
  await writeFollowUp(run.state, waiting);
  run.logger.info({}, 'resumed waiting: no reason for a follow-up round');
  return toPaused(run, waiting);
}

/** Sets the deadline anew where somebody has said how long since, and says so in the comment that tells of the delivery. */
async function renew(
  options: FollowUpOptions,
  run: Pick<Run, 'state' | 'facts' | 'thread' | 'logger'>,
  record: FollowUpRecord,
): Promise<Partial<FollowUpRecord>> {
  const { state, logger } = run;
  const wish = await readWatchWish(state);
  if (wish === null || !isRenewed(record, wish)) return {};
  const deadline = toDeadline(options, withWish(options.settings, wish));
  logger.info({ deadline }, 'changed follow-up deadline by command');
  const report = record.comment.slice(0, record.comment.lastIndexOf('\n\n'));
  return { deadline, wish: wish.count, comment: formatWaiting(options, run, { report, deadline }) };
}

function toDeadline({ now, longestMs }: FollowUpOptions, settings: FollowUpSettings): string {
  return new Date(now() + Math.min(toWatchMs(settings), longestMs)).toISOString();
}

function formatWaiting(
  { timeZone }: FollowUpOptions,
  { facts, thread }: Pick<Run, 'facts' | 'thread'>,
  { report, deadline }: Pick<FollowUpRecord, 'deadline'> & { readonly report: string },
): string {
  const until = formatTime(new Date(deadline), timeZone, { seconds: false });
  const kind = changeRequestKindOf(thread.ports.key);
  return `${report}\n\n${followUpTexts[facts.locale].watching(kind, until)}`;
}

/**
 * Looks at all that was said, then at the change request.
 *
 * @returns the change request, or `none` where it gives no reason for a round, or what was said cannot be read
 */
async function lookForReason(
  options: RequestWatchOptions,
  run: Run,
  { inbox, runCommands }: RoundInbox,
): Promise<ChangeRequest | null | 'none'> {
  const { status } = await inbox.takeDelivery({ barrier: true });
  if (status !== 'checked') return 'none';
  const { platform, ports } = run.thread;
  const watch = openRequestWatch({ ...run, platform, key: ports.key }, options);
  const { kind, request } = await watch(await runCommands());
  return kind === 'round' ? request : 'none';
}

/** Reads the change request as it stands now. */
async function readRequest({ thread: { platform, ports } }: Run, { number }: FollowUpRecord) {
  const key = toRequestKey(ports.key, number);
  return key === null ? null : (await platform.platform.openThread(key).reader.readThread()).changeRequest;
}

interface Waiting {
  readonly record: FollowUpRecord | null;
  readonly number: number;
  readonly settings: FollowUpSettings;
  readonly ending: ReportedEnding;
}

async function keepWaiting(
  options: FollowUpOptions,
  run: Run,
  { record, number, settings, ending }: Waiting,
): Promise<FollowUpRecord> {
  const wish = await readWatchWish(run.state);
  const deadline =
    record !== null && !isRenewed(record, wish) ? record.deadline : toDeadline(options, settings);
  const delivery = joinDeliveries(record?.delivery ?? null, ending.delivery);
  const report = await options.composeFinalComment(run, { ...ending, delivery });
  const kept: FollowUpRecord = {
    number,
    isWaiting: true,
    isWoken: false,
    round: record?.round ?? 0,
    rounds: closeLast(record?.rounds ?? [], { isLeft: ending.delivery.commit === null }),
    deadline,
    wish: wish?.count ?? 0,
    delivery,
    outcome: ending.outcome.status,
    reason: ending.outcome.reason,
    errorClass: ending.outcome.errorClass ?? null,
    comment: formatWaiting(options, run, { report, deadline }),
    end: null,
  };
  await writeFollowUp(run.state, kept);
  return kept;
}

function closeLast(rounds: readonly BegunRound[], end: Pick<BegunRound, 'isLeft'>): readonly BegunRound[] {
  return rounds.map((round, index) => (index === rounds.length - 1 ? { ...round, ...end } : round));
}

/** Joins what a run has delivered in all its rounds; the last commit stands for all. */
function joinDeliveries(before: Delivery | null, last: Delivery): Delivery {
  if (before === null) return last;
  return {
    branch: last.branch ?? before.branch,
    commit: last.commit ?? before.commit,
    changeRequest: before.changeRequest ?? last.changeRequest,
    changedFiles: [...new Set([...before.changedFiles, ...last.changedFiles])].sort(),
  };
}
