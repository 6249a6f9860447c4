import type { CallOptions } from '@agent/platforms';
import type { ModelMessage } from 'ai';
import type { ModelFailure } from './classify-model-error.ts';
import type { JournalEntry, JournalEvent, RunOutcome, RunSummary, TokenUsage } from './model.ts';
import type { ContextWindow } from './window/context-window.ts';

/**
 * The run's journal: the only truth of a run. `append` resolves when the line is synced to disk, with its
 * sequence number; only then may anything that rests on it go out.
 */
export interface RunJournal {
  readonly append: (event: JournalEvent) => Promise<number>;
  /**
   * Messages, summaries and facts, in the order they were written. A torn last line is left out.
   *
   * @param options facts: names of the facts that are needed; others can be left out. Default all
   */
  readonly read: (options?: { readonly facts?: readonly string[] }) => AsyncIterable<JournalEntry>;
  /**
   * Replaces what the model sees by these messages: the system's, the summary, and those after it. The truth keeps
   * every line.
   */
  readonly replaceContext: (messages: readonly ModelMessage[], summary: RunSummary) => Promise<void>;
  /** Commits the end of the run (`outcome.json`). The caller's to call, once the results are delivered. */
  readonly finish: (outcome: RunOutcome) => Promise<void>;
}

/** Signal to a run from outside. */
export type RunSignal = 'none' | 'pause' | 'stop';

/** Asked at every checkpoint. Rejecting means "could not ask": the run goes on and asks again at the next. */
export interface RunSignals {
  readonly read: (options: CallOptions) => Promise<RunSignal>;
}

/** Says when the model may be asked, for one run; where there is none, a model that cannot be asked ends `runTask`. */
export interface ModelAvailability {
  /**
   * Asked before each model call. `wait` after some seconds of waiting: the run passes a checkpoint and asks again, so
   * that pause, stop and comments are heard meanwhile. `later` leaves the run as it is.
   */
  readonly admit: (options: CallOptions) => Promise<'go' | 'wait' | 'later'>;
  /** Told of a call that failed and is no fault of the request: whether the same step is worth another try. */
  readonly afterFailure: (failure: ModelFailure) => 'wait' | 'give-up';
  readonly afterAnswer: () => void;
  /**
   * Describes the budget that a call was refused for, if the run shares it with others: then the run is deferred.
   * Null for a limit of its own, which ends it. Default null.
   */
  readonly budgetHold?: (() => string | null) | undefined;
}

/** Says how much of its money a run has spent. Rejecting means "could not ask": the run goes on and asks before its next step. */
export interface SpendingGauge {
  /** The account that is nearest to its limit; null where none has one. */
  readonly read: (options: CallOptions) => Promise<{ readonly spent: number; readonly limit: number } | null>;
}

/** Delivery of comments: one user message, and the receipt that is journaled with it. */
export interface CommentDelivery {
  readonly text: string;
  readonly receipt: CommentReceipt;
  /** False where it certainly gives no command: pause and stop need not be asked about again. Default true. */
  readonly hasCommands?: boolean | undefined;
  /** True where the message had no room for all that was said: the rest is taken before the model is asked. Default false. */
  readonly hasMore?: boolean | undefined;
}

/** Which revisions of which comments a message delivers; opaque to the runner, written in the message's line. */
export interface CommentReceipt {
  readonly delivers: readonly {
    readonly id: string;
    readonly revision: string;
    readonly kind: 'added' | 'edited' | 'deleted';
  }[];
}

/** Comments that came since the last poll. `barrier` asks for a poll that begins now, whatever the interval. */
export interface CommentInbox {
  readonly takeDelivery: (options: { readonly barrier: boolean } & CallOptions) => Promise<{
    readonly status: 'checked' | 'skipped' | 'failed';
    readonly delivery: CommentDelivery | null;
    /** Cause of `failed`. A programming error ends the run. */
    readonly error?: unknown;
  }>;
  /** Called once the line that carries the delivery is synced. */
  readonly markDelivered: (receipt: CommentReceipt) => void;
}

/** Context to compress. */
export interface CompressibleContext extends CallOptions {
  /** All that the model sees but the system's prompt. */
  readonly messages: readonly ModelMessage[];
  /** Their numbers in the journal. */
  readonly seqs: readonly number[];
  /** The system's prompt: counts, and always stays. */
  readonly instructions: string;
  /** Numbers of the messages that deliver comments. Default none. */
  readonly delivering?: readonly number[] | undefined;
  /** Tokens of the tools' descriptions, which are part of each request. Default 0. */
  readonly toolTokens?: number | undefined;
  /** To be told of a model call that led to no summary; one that did is told in the summary's `usage`. */
  readonly onWastedCall: (usage: TokenUsage) => void;
}

/**
 * Makes the context smaller when it has to be; null when there is nothing to do. The summary is one message of the
 * assistant in the new messages, at the position of the messages that it replaces.
 */
export interface ContextCompressor {
  /** Window that the run's requests are fitted to. Default: a window of the run's `contextLength`. */
  readonly window?: ContextWindow | undefined;
  readonly compress: (
    context: CompressibleContext,
  ) => Promise<{ readonly messages: readonly ModelMessage[]; readonly summary: RunSummary } | null>;
}

/** Takes every text that leaves the run for a journal or a model, and gives it back without secrets. */
export type HideKnownSecrets = (text: string) => string;
