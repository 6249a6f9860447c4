import type { CallOptions } from '@agent/platforms';
import type { Logger } from '@agent/text';
import { checkOptions, type ExpectationsOf } from '@agent/text/options';
import type { ModelMessage } from 'ai';
import { sleepBySystem } from './call-limits.ts';
import { createCheckpoint, deliverTo, type FinishBarrier, type NextStep } from './checkpoint.ts';
import { Conversation, JournalFailure } from './conversation.ts';
import type { RunStatistics, TokenUsage } from './model.ts';
import type { CommentInbox, HideKnownSecrets, RunJournal, RunSignals } from './ports.ts';
import { readEntries, replayJournal } from './replay-journal.ts';
import { type OpenedConversation, runExpectations, type Sleep } from './run-options.ts';
import { findCommand } from './run-signals.ts';
import { toInterruptedResult, toUnbegunResult } from './run-tool-calls.ts';
import { Tally } from './tally.ts';
import { nothingUsed } from './usage.ts';

/** Parts of a loop of one's own. */
export interface OwnLoopOptions {
  readonly journal: RunJournal;
  /** Called only when the journal holds no complete opening. */
  readonly openConversation: (options: CallOptions) => Promise<OpenedConversation>;
  readonly signals?: RunSignals | null | undefined;
  readonly comments?: CommentInbox | null | undefined;
  /** Hides secrets in all that is journaled. Default: leaves texts as they are. */
  readonly hideKnownSecrets?: HideKnownSecrets | undefined;
  /** A shutdown: `next` answers `shutdown`. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds; only differences are used. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Waits for a thread that cannot be read before the end; rejects when its signal aborts. Default the system's timer. */
  readonly sleep?: Sleep | undefined;
  /** Silent by default. */
  readonly logger?: Logger | null | undefined;
}

const { journal, openConversation, signals, comments, hideKnownSecrets } = runExpectations;
const { signal, now, sleep, logger } = runExpectations;

const expectations: ExpectationsOf<OwnLoopOptions> = {
  ...{ journal, openConversation, signals, comments, hideKnownSecrets, signal, now, sleep, logger },
};

/** A journaled conversation, and what an agent's own loop asks between its steps. */
export interface OwnLoop {
  /** The system's prompt, as the conversation was opened with it. */
  readonly instructions: string;
  /** Messages for the model, without the system's. After a crash each call of a tool has a result. */
  readonly messages: readonly ModelMessage[];
  /** Asks for a shutdown, pause and stop, takes in what was said, and says what comes next. */
  readonly next: () => Promise<NextStep>;
  /**
   * Journals messages, synced, then takes them into the conversation: an answer before its tools run, and each result
   * as soon as it is there. An answer without calls ends the work. `usage`: cost of the answer among them; default 0.
   */
  readonly append: (messages: readonly ModelMessage[], usage?: TokenUsage) => Promise<void>;
  /** Calls and tokens so far, over all processes. */
  readonly statistics: () => RunStatistics;
}

/**
 * Opens what `runTask` keeps for its own loop, for an agent that calls the model itself: the conversation in step with its
 * journal, and its checkpoints. Opened again with the same journal it goes on where it was left.
 *
 * @throws what `openConversation` and the journal reject with, and a `TypeError` that names an invalid option
 *
 * @example
 * const loop = await openLoop({ journal, openConversation, signals, comments });
 * while ((await loop.next()) === 'work') {
 *   const { response } = await generateText({ model, system: loop.instructions, messages: [...loop.messages] });
 *   await loop.append(response.messages);
 * }
 */
export async function openLoop(options: OwnLoopOptions): Promise<OwnLoop> {
  checkOptions('OwnLoopOptions', options, expectations, ['journal', 'openConversation']);
  const { journal, signals, comments, logger, signal } = options;
  const tally = new Tally(options.now ?? Date.now);
  const hideKnownSecrets = options.hideKnownSecrets ?? ((text: string) => text);
  const replayed = replayJournal(await readEntries(journal));
  const conversation = new Conversation({ journal, tally, hideKnownSecrets }, replayed);
  if (replayed !== null) await unwrapped(answerInterruptedCalls(conversation, { oneByOne: false }));
  else await unwrapped(writeOpening(await options.openConversation({ signal }), { conversation, tally }));
  const next = createCheckpoint(
    {
      ...{ signals, comments, signal, logger },
      deliver: deliverTo(conversation),
      findInterruption: () => (signal?.aborted ? (findCommand(signal) ?? 'shutdown') : null),
    },
    {
      endsWithAnswer: () => conversation.endsWithAnswer,
      wait: sleepUnless(signal ?? new AbortController().signal, options.sleep ?? sleepBySystem),
    },
  );
  return {
    instructions: conversation.instructions,
    get messages() {
      return conversation.messages;
    },
    next: () => unwrapped(next()),
    append: (messages, usage = nothingUsed) => unwrapped(appendAll(conversation, messages, usage)),
    statistics: () => tally.statistics(),
  };
}

async function appendAll(
  conversation: Conversation,
  messages: readonly ModelMessage[],
  usage: TokenUsage,
): Promise<void> {
  let cost = usage;
  for (const message of messages) {
    const isAnswer = message.role === 'assistant';
    await conversation.append(message, { usage: isAnswer ? cost : null });
    if (isAnswer) cost = nothingUsed;
  }
}

/** Journals what a conversation begins with. */
export async function writeOpening(
  { instructions, messages, receipt = { delivers: [] }, spent, earlierMs = 0 }: OpenedConversation,
  { conversation, tally }: { readonly conversation: Conversation; readonly tally: Tally },
): Promise<void> {
  tally.addEarlierMs(earlierMs);
  const opening = [{ role: 'system' as const, content: instructions }, ...messages];
  for (const [index, message] of opening.entries()) {
    const begins = { isOpening: true, ...(index === 0 ? { opens: opening.length, spent } : {}) };
    await conversation.append(message, index === opening.length - 1 ? { ...begins, ...receipt } : begins);
  }
}

/**
 * Answers calls that an earlier process left without a result. Whether one took effect cannot be known; where they were
 * made `oneByOne`, each after the result of the one before, only the first of them can have begun.
 */
export async function answerInterruptedCalls(
  conversation: Conversation,
  { oneByOne }: { readonly oneByOne: boolean },
): Promise<void> {
  for (const [index, call] of conversation.openCalls.entries()) {
    const result = oneByOne && index > 0 ? toUnbegunResult(call) : toInterruptedResult(call);
    await conversation.append(result);
  }
}

/** Gives a sleep that a signal ends without an error. */
export function sleepUnless(signal: AbortSignal, sleep: Sleep): FinishBarrier['wait'] {
  return (milliseconds) =>
    sleep(milliseconds, { signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
}

/** Gives the journal's own error to the caller of `openLoop`. */
async function unwrapped<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof JournalFailure ? error.cause : error;
  }
}
