import type { ContextInheritanceManager } from '@agent/context-inheritance';
import { type Account, type Comment, isSameAccount, type Thread } from '@agent/platforms';
import { parseCommentMarker } from '@agent/platforms/comments';
import type { RestingRuns, ShownRun } from '@agent/run-store';
import type { Locale } from '@agent/text';
import type { TextWorker } from '@agent/text/worker';
import type { ModelMessage } from 'ai';
import type { RunLogger } from '../host/ports.ts';
import { isTransient } from '../intents/call-with-retry.ts';
import {
  type EarlierRuns,
  hashRequest,
  hashThread,
  type Inherited,
  inheritContext,
  type LastRun,
  type PlacedThread,
} from '../past/earlier-runs.ts';
import type { ReadTextAuthors } from '../past/find-text-author.ts';
import { noLineage, type RunLineage } from '../past/run-lineage.ts';
import type { ThreadSnapshot } from '../run/run-thread.ts';
import { type CleanText, createTextCleaner } from '../thread/text-guard.ts';
import { type IsTrusted, isOwnComment, isOwnThread } from '../thread/trust.ts';
import { considersAll } from './considered-comments.ts';
import { summarizeEarlierRuns } from './ensure-summaries.ts';
import { findThreadCommands, listSaidTexts, mayCommand, type SaidText } from './find-thread-commands.ts';
import type { SummarizeRun } from './summarize-run.ts';

export interface InheritanceOptions {
  /** Work that earlier runs of a thread left; null where nothing is inherited. */
  readonly earlierRuns: EarlierRuns | null;
  /** Makes up for summaries that earlier runs ended without. */
  readonly summarizeRun: SummarizeRun;
  readonly store: Pick<RestingRuns<ModelMessage>, 'openEnded'>;
  readonly readRun: (uuid: string) => Promise<Pick<ShownRun<unknown>, 'history'>>;
  readonly textWorker: TextWorker;
  readonly stepTimeoutMs: number;
  /** The agent's name where the configuration says it for all platforms. */
  readonly botUsername: string | null;
  readonly now: () => number;
  readonly logger: RunLogger;
}

/**
 * Finds out what a run inherits from earlier ones of its thread, as people command it there. What cannot be read
 * never keeps a run from beginning: then it is a new task, and the log says why (seed 002 §7).
 *
 * @throws PlatformError when the platform cannot say now whether somebody may command: nothing has happened then
 */
export type BeginInheritance = (subject: InheritanceSubject) => Promise<RunBeginning>;

/** A run that is about to begin. */
export interface InheritanceSubject {
  readonly thread: PlacedThread;
  readonly snapshot: ThreadSnapshot;
  /** The issue on which earlier runs are filed: the thread itself, but for a draft of the agent. */
  readonly issue: Thread;
  readonly readTextAuthors: ReadTextAuthors;
  readonly isTrusted: IsTrusted;
  readonly ownAccount: Account;
  /** The agent's name where the configuration says it: then all that its account writes is its own. */
  readonly botName: string | null;
  readonly locale: Locale;
}

/** Beginning of a run: what it inherits, and by whose command. */
export interface RunBeginning {
  readonly lineage: RunLineage;
  /** Null for one that begins anew. */
  readonly inherited: Inherited | null;
  /** Comments whose commands were carried out, and those of people who may not steer. */
  readonly obeyed: readonly string[];
  readonly refused: readonly string[];
}

const anew: RunBeginning = { lineage: noLineage, inherited: null, obeyed: [], refused: [] };

/** Creates it. */
export function createBeginInheritance(options: InheritanceOptions): BeginInheritance {
  const { earlierRuns, textWorker } = options;
  if (earlierRuns === null) return async () => anew;
  const services = { ...options, earlierRuns };
  return async (subject) => {
    const { thread, locale } = subject;
    const logger = options.logger.child({ thread: thread.taskKeyText });
    try {
      const isNamed = (options.botUsername ?? subject.botName) !== null;
      const texts = await listTexts(subject, { clean: createTextCleaner({ textWorker, logger }), isNamed });
      const endsOnThread = listEndsOnThread(subject.snapshot.listing.comments, subject.ownAccount);
      const last = await earlierRuns.findLast(thread, { endsOnThread });
      if (last === null && !texts.some(mayCommand)) return anew;
      const manager = await earlierRuns.openManager({ locale, logger, thread });
      return await beginWith(services, { subject, manager, texts, last, logger });
    } catch (error) {
      if (isTransient(error)) throw error;
      logger.error({ err: error }, 'failed to look up earlier runs; starting without them');
      return anew;
    }
  };
}

async function beginWith(
  {
    earlierRuns,
    summarizeRun,
    store,
    readRun,
    textWorker,
    stepTimeoutMs,
    now,
  }: InheritanceOptions & { readonly earlierRuns: EarlierRuns },
  begun: {
    readonly subject: InheritanceSubject;
    readonly manager: ContextInheritanceManager;
    readonly texts: readonly SaidText[];
    readonly last: LastRun | null;
    readonly logger: RunLogger;
  },
): Promise<RunBeginning> {
  const { subject, manager, texts, last, logger } = begun;
  const { findInheritanceCommands: find } = await import('@agent/context-inheritance');
  const isTrusted = toLenientTrust(subject.isTrusted, { logger });
  const commands = await findThreadCommands(texts, { find, last, isTrusted });
  const { refusal, showsHistory, obeyed, refused, heard } = commands;
  if (refusal !== null)
    logger.info({ command: `/${refusal}` }, 'ignoring earlier runs: requested by command');
  const { thread, locale, issue } = subject;
  const { listing } = subject.snapshot;
  const present = { listing, issue };
  if (refusal === null && last !== null) {
    const services = { earlierRuns, summarizeRun, store, textWorker, timeoutMs: stepTimeoutMs };
    const listInherited = async () =>
      (await manager.getInheritanceContext(thread, hashThread(present)))?.keyDecisions ?? [];
    const { comments } = listing;
    await summarizeEarlierRuns(services, { ...subject, comments, listInherited, isTrusted, logger });
  }
  const { timeZone, mode } = earlierRuns;
  const inherited =
    refusal === null
      ? await inheritContext(manager, {
          ...{ thread, present, locale, timeZone, mode },
          request: hashRequest(subject.snapshot.thread),
        })
      : null;
  const planOf =
    inherited?.planOf == null ? null : await confirmPlan({ uuid: inherited.planOf, last, readRun }, subject);
  const lineage: RunLineage = {
    fromUuid: inherited?.fromUuid ?? null,
    depth: inherited?.depth ?? 0,
    tokens: inherited?.tokens ?? 0,
    refusal,
    barrierAt: refusal === 'fresh-start' ? toBarrier(now(), last) : null,
    showsHistory,
    heard,
    retryOf: null,
    planOf,
  };
  return { lineage, inherited, obeyed, refused };
}

interface NamedPlan extends Pick<InheritanceOptions, 'readRun'> {
  readonly uuid: string;
  readonly last: LastRun | null;
}

/** A plan goes on where no other run came after its own, even one that leaves nothing, and people have said nothing new since. */
async function confirmPlan(
  { uuid, last, readRun }: NamedPlan,
  { snapshot: { listing }, ownAccount }: InheritanceSubject,
): Promise<string | null> {
  if (uuid !== last?.uuid || !listing.complete) return null;
  const { history } = await readRun(uuid);
  const { comments } = listing;
  return (await considersAll(history(), { comments, ownAccount })) ? uuid : null;
}

/** All that has ended lies behind it, also what a clock that was ahead gave an end in the future. */
function toBarrier(nowMs: number, last: LastRun | null): string {
  return new Date(Math.max(nowMs, last === null ? nowMs : Date.parse(last.latestEnd))).toISOString();
}

function listTexts(
  { snapshot, ownAccount }: InheritanceSubject,
  { clean, isNamed }: { readonly clean: CleanText; readonly isNamed: boolean },
): Promise<readonly SaidText[]> {
  const isOwn = (comment: Comment): boolean =>
    isNamed ? isSameAccount(comment.author, ownAccount) : isOwnComment(comment, ownAccount);
  const isOwnText = isOwnThread(snapshot.thread, ownAccount);
  return listSaidTexts(snapshot, { clean, isOwn, isOwnText });
}

/** Takes somebody for a stranger where the platform refuses for good to say what they may do. */
function toLenientTrust(isTrusted: IsTrusted, { logger }: { readonly logger: RunLogger }): IsTrusted {
  return (account, question) =>
    isTrusted(account, question).catch((error: unknown) => {
      if (isTransient(error)) throw error;
      logger.warn({ err: error, account: account?.login }, 'failed to check author permission');
      return false;
    });
}

/**
 * When runs of a thread ended by the platform's clock, which its comments go by as well: by the run's uuid, the time of
 * its final comment (ISO 8601).
 */
function listEndsOnThread(comments: readonly Comment[], ownAccount: Account): ReadonlyMap<string, string> {
  const ends = new Map<string, string>();
  for (const { author, body, createdAt } of comments) {
    const uuid = /^run:([0-9a-f-]{36}):final$/.exec(parseCommentMarker(body) ?? '')?.[1];
    if (uuid !== undefined && isSameAccount(author, ownAccount)) ends.set(uuid, createdAt);
  }
  return ends;
}
