import {
  type CurrentComments,
  type DecisionConflict,
  type InheritedDecision,
  type KeyDecision,
  keepDecisions,
  type ReadTreeFile,
  resolveDecisions,
  toDecisionLine,
  toKeyDecisions,
} from '@agent/context-inheritance';
import type { Comment, Thread } from '@agent/platforms';
import type { FinalSummaries, RunJournal } from '@agent/run-store';
import { readRunRecord, requestSummary, type TokenUsage } from '@agent/runner';
import { createEnvelopeCode, estimateTokens, type Locale } from '@agent/text';
import type { Redact } from '@agent/text/outgoing';
import type { LanguageModel, ModelMessage } from 'ai';
import type { RunLogger } from '../host/ports.ts';
import { hashComments } from '../past/earlier-runs.ts';
import { toWellFormedSlice } from '../report/fit-text.ts';
import type { Payer } from '../spending/payer.ts';
import type { DeliveringEntry } from '../thread/detection-record.ts';
import { readShownComments } from '../thread/shown-comments.ts';
import type { TextGuard } from '../thread/text-guard.ts';
import type { ThreadShares } from '../thread/thread-shares.ts';
import { toTextComment } from '../thread/thread-text.ts';
import { fitEarlier, formatSummaryRequest, listSourceComments, parseFinalSummary } from './final-summary.ts';

export interface SummarizeRunOptions {
  /** Gives the model that summarizes a run, which pays for it. */
  readonly modelFor: (payer: Payer, locale: Locale) => LanguageModel;
  /** Size of the model's window, in tokens. */
  readonly contextLength: number;
  readonly shares: Pick<ThreadShares, 'thread'>;
  readonly maxRetries: number;
  readonly redactOutgoing: Redact;
  readonly shutdown: AbortSignal;
  readonly now: () => number;
  /** Default: a random UUID. */
  readonly drawNonce?: (() => string) | undefined;
}

/** A run whose final summary is wanted. */
export interface SummarizedRun {
  readonly uuid: string;
  readonly journal: Pick<RunJournal<ModelMessage>, 'read'>;
  readonly finalSummary: Pick<FinalSummaries, 'append'>;
  readonly payer: Payer;
  readonly locale: Locale;
  readonly logger: RunLogger;
}

/** Sources of its decisions. */
export interface SummarySources {
  /** The issue as it is now; null if its text is the agent's, or not the request. */
  readonly thread: Thread | null;
  /** Key of the thread of the comments if runs are filed under another one, as those on a draft of the agent are; else null. */
  readonly otherThread: string | null;
  /** Comments of the thread as they are now, oldest first. */
  readonly listed: readonly Comment[];
  readonly isOwn: (comment: Comment) => boolean;
  readonly guard: Pick<TextGuard, 'clean' | 'authorityOf'>;
  /** Decisions that the run inherited. */
  readonly inherited: readonly InheritedDecision[];
  /** Reads the worktree of the run; null where there is none. */
  readonly readFile: ReadTreeFile | null;
  /** Milliseconds that all of it may take. */
  readonly timeoutMs: number;
}

export interface SummarizedResult {
  readonly isKept: boolean;
  readonly usage: TokenUsage;
  /** Contradictions that the decisions of this run brought. */
  readonly conflicts: readonly DecisionConflict[];
}

/** Answers whether the summary is there now, and what the request cost; null when there was no answer, or nothing to summarize. */
export type SummarizeRun = (run: SummarizedRun, sources: SummarySources) => Promise<SummarizedResult | null>;

/** Share of the model's window for the answer. */
const answerShare = 0.25;

/**
 * Creates what has the model write a run's final summary, in a request of its own that the run's conversation knows nothing of, and
 * keeps it with the run. What is no summary is not kept, and the log says so.
 *
 * @see seed 002 §4.4.2, decision C11
 */
export function createSummarizeRun(options: SummarizeRunOptions): SummarizeRun {
  const { modelFor, maxRetries, redactOutgoing, shutdown: signal, now } = options;
  return async (run, sources) => {
    const { journal, finalSummary, payer, locale, logger } = run;
    const { timeoutMs } = sources;
    const { thread, listed } = sources;
    const texts = [...(thread === null ? [] : [toTextComment(thread)]), ...listed];
    const told = await findToldComments(journal.read(), { listed: texts });
    const request = await composeRequest(options, run, { ...sources, told: told.comments });
    if (request === null) return null;
    const { write, instructions, authorities } = request;
    const model = modelFor(payer, locale);
    const { contextLength } = options;
    const limits = { maxRetries, timeoutMs, totalTimeoutMs: timeoutMs, contextLength, answerShare };
    const answer = await requestSummary(write, { model, instructions, ...limits, signal, logger });
    if (answer === null) return null;
    const { text, usage } = answer;
    const parsed = parseFinalSummary(text);
    if (parsed === null) {
      logger.warn({ chars: text.length }, 'received unusable final summary; retrying before next run');
      return { isKept: false, usage, conflicts: [] };
    }
    const toSource = ([id, authority]: readonly [string, string]) =>
      [
        id,
        {
          ...{ sha256: told.hashes.get(id) ?? null, isTrusted: authority === 'trusted' },
          thread: sources.otherThread,
        },
      ] as const;
    const { inherited, readFile } = sources;
    const decided = await toKeyDecisions(parsed.key_decisions, {
      ...{ runUuid: run.uuid, inherited, readFile },
      sources: new Map([...authorities].map(toSource)),
    });
    const own = fitDecisions(decided.map((decision) => withoutSecrets(decision, redactOutgoing)));
    const kept = keepDecisions(inherited, own).map((decision) => withoutSecrets(decision, redactOutgoing));
    const decisions = [...own, ...kept];
    const stored = {
      text: redactOutgoing(parsed.summary),
      fields: { key_decisions: decisions.map(toDecisionLine) },
    };
    await finalSummary.append({ ...stored, usage }, { now: now() });
    const counts = { decisions: own.length, trusted: own.filter(({ isTrusted }) => isTrusted).length };
    logger.info(
      { chars: stored.text.length, ...counts, kept: decisions.length - own.length },
      'saved final summary',
    );
    return {
      isKept: true,
      usage,
      conflicts: await findNewConflicts(decisions, { own, uuid: run.uuid, at: now() }),
    };
  };
}

/** A quote with a secret is no line of the tree any more once the secret is redacted. */
function withoutSecrets(decision: KeyDecision, redact: Redact): KeyDecision {
  const { text, subject, evidence } = decision;
  const quote = evidence?.quote == null || redact(evidence.quote) !== evidence.quote ? null : evidence.quote;
  return {
    ...decision,
    text: redact(text),
    subject: subject === null ? null : redact(subject),
    evidence:
      evidence === null ? null : { paths: evidence.paths.filter((path) => redact(path) === path), quote },
  };
}

/** Decisions of a run that no trusted user made. Those of trusted users are all kept. */
const mostInformation = 10;
const maxDecisionChars = 500;
const maxSubjectChars = 200;

/** After secrets are redacted: half a secret is not recognized. */
function fitDecisions(decisions: readonly KeyDecision[]): readonly KeyDecision[] {
  const information = decisions.filter(({ isTrusted }) => !isTrusted).slice(0, mostInformation);
  return decisions
    .filter((decision) => decision.isTrusted || information.includes(decision))
    .map(({ text, subject, ...decision }) => ({
      ...decision,
      text: shorten(text, maxDecisionChars),
      subject: subject === null ? null : shorten(subject, maxSubjectChars),
    }));
}

function shorten(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${toWellFormedSlice(text, maxChars - 1)}…`;
}

/** Contradictions among the decisions of trusted users, one side of which this run decided. */
async function findNewConflicts(
  decisions: readonly KeyDecision[],
  { own, uuid, at }: { readonly own: readonly KeyDecision[]; readonly uuid: string; readonly at: number },
): Promise<readonly DecisionConflict[]> {
  const keyDecisions = decisions.filter(
    ({ source }) => source.kind === 'agent' || source.sha256 !== changedSince,
  );
  const run = { uuid, completedAt: new Date(at).toISOString(), keyDecisions };
  const { conflicts } = await resolveDecisions([run], { comments: null, request: null, readFile: null });
  const ownIds = new Set(own.map(({ id }) => id));
  return conflicts.filter((conflict) => conflict.decisions.some(({ id }) => ownIds.has(id)));
}

async function composeRequest(
  { shares, drawNonce = createEnvelopeCode }: SummarizeRunOptions,
  { journal, locale }: SummarizedRun,
  { guard, isOwn, inherited, told }: SummarySources & { readonly told: readonly Comment[] },
) {
  const nonce = drawNonce();
  const { authorities, ...comments } = await listSourceComments(told, {
    clean: guard.clean,
    authorityOf: (account) => guard.authorityOf(account, {}),
    isOwn,
    countTokens: estimateTokens,
    maxTokens: shares.thread,
  });
  const earlier = fitEarlier(
    inherited.filter(({ state }) => state.kind !== 'replaced'),
    { countTokens: estimateTokens, maxTokens: Math.floor(shares.thread / 2) },
  );
  const around = formatSummaryRequest({ record: '', ...earlier, ...comments, locale, nonce });
  const taken = estimateTokens(around.prompt);
  const write = async ({ maxTokens }: { readonly maxTokens: number }) => {
    const record = await readRunRecord(journal, { maxTokens: Math.max(0, maxTokens - taken) });
    return formatSummaryRequest({ record: record ?? '', ...earlier, ...comments, locale, nonce }).prompt;
  };
  const isEmpty = (await readRunRecord(journal, { maxTokens: 0 })) === null;
  return isEmpty ? null : { instructions: around.instructions, write, authorities };
}

export interface ToldComments {
  readonly comments: readonly Comment[];
  /**
   * SHA-256 of each body, by id; of one that changed since it was told, what no body has: a decision that is based on
   * it is stale from the start.
   */
  readonly hashes: CurrentComments;
}

export interface ToldCommentsOptions {
  /** The thread as it is now, oldest first. */
  readonly listed: readonly Comment[];
}

const changedSince = 'changed after delivery';

/** The texts that a run's model was shown whole, as its journal says: only on these can its decisions be based (decision C11). */
export async function findToldComments(
  journal: AsyncIterable<DeliveringEntry>,
  { listed }: ToldCommentsOptions,
): Promise<ToldComments> {
  const current = hashComments({ comments: listed, complete: true }) ?? new Map<string, string>();
  const told = await readShownComments(journal);
  const shown = listed.flatMap((comment) => {
    const { whole, parts } = told.get(comment.id) ?? { whole: [], parts: [] };
    const hash = current.get(comment.id) ?? changedSince;
    const isCurrent = (revision: string) => hash.startsWith(revision);
    if ([...whole].some(isCurrent)) return [{ comment, hash }];
    const wasReplaced = [...whole].length > 0 && ![...parts].some(isCurrent);
    return wasReplaced ? [{ comment, hash: changedSince }] : [];
  });
  const hashes = new Map(shown.map(({ comment, hash }) => [comment.id, hash] as const));
  return { comments: shown.map(({ comment }) => comment), hashes };
}
