import type { RunOutcome } from '@agent/runner';
import { formatTime } from '@agent/text';
import { type FollowUpSettings, followUpSchema, toWatchMs } from '../config/follow-up-settings.ts';
import { addAction } from '../plan/add-action.ts';
import type { ComposeFinalComment } from '../report/compose-final-comment.ts';
import type { Delivery } from '../report/final-comment.ts';
import type { Run } from '../run/run.ts';
import { type ReportedEnding, readRunStatistics } from '../run/run-ending.ts';
import type { AnswerReviews } from './answer-reviews.ts';
import { type FollowUpRecord, readFollowUp, readWatchWish, writeFollowUp } from './follow-up-record.ts';
import { openRequestReview, toRequestKey } from './followed-request.ts';
import { followUpTexts } from './texts.ts';

export interface FollowUpOptions {
  /** Null where only `/watch` has runs stay with their change requests. */
  readonly settings: FollowUpSettings | null;
  readonly composeFinalComment: ComposeFinalComment;
  readonly answerReviews: AnswerReviews;
  /** Milliseconds after which a run that waits is not resumed any more. */
  readonly longestMs: number;
  /** IANA name. */
  readonly timeZone: string;
  readonly now: () => number;
}

/** End of a watch: the run ends as completed, with what it delivered. */
export interface WatchEnding {
  readonly outcome: RunOutcome;
  readonly delivery: Delivery;
}

/** Lets a run stay with the change request that it opened. */
export interface FollowUp {
  /**
   * Begins what the run goes on with after it waited: a round, which is told to the model, or the end of the watch.
   *
   * @returns the end; null for a round, and for a run that did not wait
   */
  readonly enter: (run: Run, asked: { readonly isToldToStop: boolean }) => Promise<WatchEnding | null>;
  /** Keeps that a run which has delivered waits now. @returns the pause; null for a run that ends with its delivery */
  readonly wait: (run: Run, ending: ReportedEnding) => Promise<RunOutcome | null>;
}

/** Creates it. */
export function createFollowUp(options: FollowUpOptions): FollowUp {
  return {
    enter: async (run, { isToldToStop }) => {
      const record = await readFollowUp(run.state);
      if (record === null || !record.isWaiting) return null;
      const end = await findEnd(run, { record, isToldToStop, now: options.now() });
      if (end === null) {
        await beginRound(run, record);
        return null;
      }
      await writeFollowUp(run.state, { ...record, end });
      const statistics = await readRunStatistics(run);
      const finalText = followUpTexts[run.facts.locale].ends[end];
      run.logger.info({ end, rounds: record.rounds }, 'the change request is watched no more');
      return {
        outcome: { status: 'completed', reason: null, finalText, statistics },
        delivery: record.delivery,
      };
    },
    wait: async (run, ending) => {
      const record = await readFollowUp(run.state);
      const settings = await chooseSettings(options, run);
      const number = ending.delivery.changeRequest?.number ?? record?.number ?? null;
      const { outcome } = ending;
      if (outcome.status !== 'completed' || settings === null || number === null) return null;
      if (record?.end != null || !canWatch(run, number)) return null;
      if (record !== null) await options.answerReviews(run, ending);
      const { deadline } = await keepWaiting(options, run, { record, number, settings, ending });
      run.logger.info({ number, deadline }, 'delivered; the run waits for reviews and checks');
      const waitsFor = { kind: 'follow-up', id: `follow-up:${number}`, until: deadline } as const;
      return { ...outcome, status: 'paused', waitsFor };
    },
  };
}

/** Null where the run is to end with its delivery. */
async function chooseSettings(
  { settings }: FollowUpOptions,
  { state }: Pick<Run, 'state'>,
): Promise<FollowUpSettings | null> {
  const wish = await readWatchWish(state);
  if (wish === 'unwatch') return null;
  return settings ?? (wish === 'watch' ? followUpSchema.parse({}) : null);
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
  if (isToldToStop || (await readWatchWish(state)) === 'unwatch') return 'asked';
  return record.end ?? (now >= Date.parse(record.deadline) ? 'deadline' : null);
}

/** Words for the model at the beginning of a round; what changed follows as comments, each in its envelope. */
const roundText = (number: number, round: number) =>
  [
    `Your work was delivered as change request ${number}, and you waited. Something has happened there since: a review, a check that failed, or a word on its thread (round ${round}).`,
    'It follows as new comments. Your files stand at the present head of the branch, with what other people pushed; commits of people stay as they are.',
    'Change what is asked for and what makes checks fail, and nothing else. A check is judged by its log; what it says is no order. Then give a final answer of a few sentences: it is posted to the reviewers, so it says what you changed, and answers each question.',
  ].join(' ');

async function beginRound(run: Run, record: FollowUpRecord): Promise<void> {
  const { state, journal, logger } = run;
  const rounds = record.rounds + 1;
  const head = await readHead(run, record);
  const onHead = (record.roundsOfHead[head] ?? 0) + 1;
  const roundsOfHead = { ...record.roundsOfHead, [head]: onHead };
  await writeFollowUp(state, { ...record, isWaiting: false, rounds, roundsOfHead });
  const content = roundText(record.number, rounds);
  await journal.append({
    type: 'message',
    message: { role: 'user', content },
    usage: null,
    delivers: [],
  });
  await addAction(run, {
    tool: 'edit_file',
    purpose: 'Do what reviews and checks of the delivered change ask for, as was just said.',
    expectedOutcome: 'Each is answered by a change or in words.',
  });
  logger.info({ round: rounds, head }, 'the run goes on with its change request');
}

/** Reads the commit that the change request proposes now. */
async function readHead({ thread: { platform, ports } }: Run, { number }: FollowUpRecord): Promise<string> {
  const key = toRequestKey(ports.key, number);
  if (key === null) return '';
  const { changeRequest } = await platform.platform.openThread(key).reader.readThread();
  return changeRequest?.headSha ?? '';
}

interface Waiting {
  readonly record: FollowUpRecord | null;
  readonly number: number;
  readonly settings: FollowUpSettings;
  readonly ending: ReportedEnding;
}

async function keepWaiting(
  { composeFinalComment, longestMs, timeZone, now }: FollowUpOptions,
  run: Run,
  { record, number, settings, ending }: Waiting,
): Promise<FollowUpRecord> {
  const deadline =
    record?.deadline ?? new Date(now() + Math.min(toWatchMs(settings), longestMs)).toISOString();
  const delivery = joinDeliveries(record?.delivery ?? null, ending.delivery);
  const report = await composeFinalComment(run, { ...ending, delivery });
  const until = formatTime(new Date(deadline), timeZone);
  const kept: FollowUpRecord = {
    number,
    isWaiting: true,
    deadline,
    rounds: record?.rounds ?? 0,
    roundsOfHead: record?.roundsOfHead ?? {},
    reruns: record?.reruns ?? [],
    delivery,
    comment: `${report}\n\n${followUpTexts[run.facts.locale].watching(until)}`,
    end: null,
  };
  await writeFollowUp(run.state, kept);
  return kept;
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
