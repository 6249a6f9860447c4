import { type CurrentComments, type FinalSummary, toKeyDecisionFields } from '@agent/context-inheritance';
import type { Comment } from '@agent/platforms';
import type { FileRunJournal, FinalSummaries, JsonObject } from '@agent/run-store';
import { readRunRecord, requestSummary, type TokenUsage } from '@agent/runner';
import { createEnvelopeCode, estimateTokens, type Locale } from '@agent/text';
import type { Redact } from '@agent/text/outgoing';
import type { LanguageModel, ModelMessage } from 'ai';
import type { DeliveringEntry } from '../inbox/detection-record.ts';
import type { TextGuard } from '../inbox/text-guard.ts';
import type { RunLogger } from '../ports.ts';
import type { Payer } from '../spending/payer.ts';
import { readShownComments } from '../thread/shown-comments.ts';
import type { ThreadShares } from '../thread/thread-shares.ts';
import { hashComments } from './earlier-runs.ts';
import {
  dropUntrustedDecisions,
  formatSummaryRequest,
  listSourceComments,
  parseFinalSummary,
} from './final-summary.ts';

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
  readonly journal: Pick<FileRunJournal<ModelMessage>, 'read'>;
  readonly finalSummary: Pick<FinalSummaries, 'append'>;
  readonly payer: Payer;
  readonly locale: Locale;
  readonly logger: RunLogger;
}

/** Sources of its decisions. */
export interface SummarySources {
  /** Comments of the thread as they are now, oldest first. */
  readonly listed: readonly Comment[];
  readonly isOwn: (comment: Comment) => boolean;
  readonly guard: Pick<TextGuard, 'clean' | 'authorityOf'>;
  /** Milliseconds that all of it may take. */
  readonly timeoutMs: number;
}

/** Answers whether the summary is there now, and what the request cost; null when there was no answer, or nothing to summarize. */
export type SummarizeRun = (
  run: SummarizedRun,
  sources: SummarySources,
) => Promise<{ readonly isKept: boolean; readonly usage: TokenUsage } | null>;

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
    const told = await findToldComments(journal.read(), sources);
    const request = await composeRequest(options, run, { ...sources, told: told.comments });
    if (request === null) return null;
    const { write, instructions } = request;
    const model = modelFor(payer, locale);
    const { contextLength } = options;
    const limits = { maxRetries, timeoutMs, totalTimeoutMs: timeoutMs, contextLength, answerShare };
    const answer = await requestSummary(write, { model, instructions, ...limits, signal, logger });
    if (answer === null) return null;
    const { text, usage } = answer;
    const parsed = parseFinalSummary(text);
    if (parsed === null) {
      logger.warn({ chars: text.length }, 'received unusable final summary; retrying before next run');
      return { isKept: false, usage };
    }
    const summary = dropUntrustedDecisions(parsed, request.comments);
    const dropped = parsed.key_decisions.length - summary.key_decisions.length;
    const stored = toStored(summary, { redactOutgoing, hashes: told.hashes });
    await finalSummary.append({ ...stored, usage }, { now: now() });
    logger.info(
      { chars: summary.summary.length, decisions: summary.key_decisions.length, dropped },
      'saved final summary',
    );
    return { isKept: true, usage };
  };
}

async function composeRequest(
  { shares, drawNonce = createEnvelopeCode }: SummarizeRunOptions,
  { journal, locale }: SummarizedRun,
  { guard, isOwn, told }: SummarySources & { readonly told: readonly Comment[] },
) {
  const nonce = drawNonce();
  const comments = await listSourceComments(told, {
    clean: guard.clean,
    authorityOf: (account) => guard.authorityOf(account, {}),
    isOwn,
    countTokens: estimateTokens,
    maxTokens: shares.thread,
  });
  const around = formatSummaryRequest({ record: '', ...comments, locale, nonce });
  const taken = estimateTokens(around.prompt);
  const write = async ({ maxTokens }: { readonly maxTokens: number }) => {
    const record = await readRunRecord(journal, { maxTokens: Math.max(0, maxTokens - taken) });
    return formatSummaryRequest({ record: record ?? '', ...comments, locale, nonce }).prompt;
  };
  const isEmpty = (await readRunRecord(journal, { maxTokens: 0 })) === null;
  return isEmpty ? null : { instructions: around.instructions, write, comments: comments.comments };
}

/** Takes the secrets out of what later runs inherit. */
function toStored(
  summary: FinalSummary,
  { redactOutgoing, hashes }: { readonly redactOutgoing: Redact; readonly hashes: CurrentComments },
) {
  const { key_decisions } = toKeyDecisionFields(summary, hashes);
  const clean = key_decisions.map((decision) => ({ ...decision, text: redactOutgoing(decision.text) }));
  const fields: JsonObject = { key_decisions: clean };
  return { text: redactOutgoing(summary.summary), fields };
}

export interface ToldComments {
  readonly comments: readonly Comment[];
  /**
   * SHA-256 of each body, by id; of one that changed since it was told, what no body has: a decision that rests on
   * it is stale from the start.
   */
  readonly hashes: CurrentComments;
}

export interface ToldCommentsOptions {
  /** The thread as it is now, oldest first. */
  readonly listed: readonly Comment[];
}

const changedSince = 'changed after delivery';

/** The comments that a run's model was shown, as its journal says: only on these can its decisions be based (decision C11). */
export async function findToldComments(
  journal: AsyncIterable<DeliveringEntry>,
  { listed }: ToldCommentsOptions,
): Promise<ToldComments> {
  const current = hashComments({ comments: listed, complete: true }) ?? new Map<string, string>();
  const told = await readShownComments(journal);
  const comments = listed.filter(({ id }) => told.has(id));
  const hashes = comments.map(({ id }) => {
    const hash = current.get(id) ?? changedSince;
    return [id, hash.startsWith(told.get(id) ?? changedSince) ? hash : changedSince] as const;
  });
  return { comments, hashes: new Map(hashes) };
}
