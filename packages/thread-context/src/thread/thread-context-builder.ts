import { removeHidden } from '@agent/text';
import { createBudgetMeter } from './budget-meter.ts';
import { type FitThreadOptions, fitThread } from './fit-thread.ts';
import type { ChatTurn, ThreadMessage, ThreadReader } from './ports.ts';
import { readMessages, toReason } from './read-messages.ts';
import { type ThreadLimitOptions, toThreadLimits } from './thread-limits.ts';
import { toChatTurn } from './thread-turn.ts';
import { joinOwnTurns, rememberTurns, type TurnRules } from './to-turns.ts';

/** How a thread becomes a conversation. */
export interface ThreadContextOptions extends ThreadLimitOptions {
  /** Messages that are read, and turns that are kept. Default: 200. */
  readonly maxMessages?: number | undefined;
  /** UTF-16 units of the transcript, at least 14. Default: 20,000. */
  readonly maxTranscriptChars?: number | undefined;
  /** Whether the message that the thread was made from stays when older turns go. Default: false. */
  readonly pinStarter?: boolean | undefined;
  /**
   * Whether the transcript of a thread over its budget begins at a landmark and keeps that beginning for many
   * turns, at about 60 % to 100 % of the budget, for servers that reuse what they have read. Default: false.
   */
  readonly stable?: boolean | undefined;
  /** Messages that are no part of the conversation, e.g. the bot's word that the model did not answer (D13). */
  readonly ignore?: ((message: ThreadMessage) => boolean) | undefined;
  /**
   * Whether characters that nobody sees and that do no work where they stand are taken out of texts and names: they
   * can carry a text that only the model would read. Default: false, as it was written.
   */
  readonly removeHidden?: boolean | undefined;
  /** How somebody is called. Default: by `authorName`. Colons and line breaks are taken out of it. */
  readonly displayName?: ((message: ThreadMessage) => string) | undefined;
}

/** A conversation, and whether it could be read. */
export interface ThreadReading {
  /** Oldest first. */
  readonly turns: ChatTurn[];
  /** Whether nothing failed; what the limits left out does not count. */
  readonly complete: boolean;
  /** What the reader rejected with; null when it did not. */
  readonly error: unknown;
}

/**
 * Reads a thread and makes the conversation of it that a model is given: own posts are the assistant's, people's
 * carry their names, the oldest go first when there are too many.
 *
 * @see seed 003 §4.2, §5.2
 */
export class ThreadContextBuilder {
  readonly #options: Omit<FitThreadOptions, 'toTurn'>;
  readonly #rules: Omit<TurnRules, 'botUserId'>;

  constructor(options: ThreadContextOptions = {}) {
    const { pinStarter = false, stable = false, ignore = () => false } = options;
    const { displayName = ({ authorName }: ThreadMessage) => authorName } = options;
    this.#options = { ...toThreadLimits(options), pinStarter, isStable: stable };
    const cleanText = options.removeHidden === true ? removeHidden : (text: string) => text;
    this.#rules = { ignore, displayName, cleanText };
  }

  /**
   * The seed's form: the conversation as an array. `readContext` gives what could be read where this rejects.
   *
   * @throws what the reader rejected with, unchanged: a thread that could not be read is no empty one
   */
  async build(thread: ThreadReader, botUserId: string): Promise<ChatTurn[]> {
    const { turns, complete, error } = await this.readContext(thread, botUserId);
    if (!complete) throw error;
    return turns;
  }

  /**
   * What could be read, and what failed. With the message to be answered as `trigger`, that one is there even if no
   * page is.
   *
   * @throws the signal's reason when the caller gave up
   * @throws TypeError without a reader
   */
  async readContext(
    thread: ThreadReader,
    botUserId: string,
    { signal, trigger }: { signal?: AbortSignal | undefined; trigger?: ThreadMessage | undefined } = {},
  ): Promise<ThreadReading> {
    requireReader(thread);
    const options = { ...this.#options, toTurn: rememberTurns({ ...this.#rules, botUserId }) };
    const read = await readMessages(thread, {
      maxMessages: options.maxTurns,
      wantsOlder: createBudgetMeter(options),
      signal,
    });
    const messages = withTrigger(read.messages, trigger);
    const fitted = fitThread({ ...read, messages, starter: null }, options);
    if (!fitted.wantsOlder && !options.pinStarter) return toReading(fitted.turns, read.error);
    const { starter, error } = await readStarter(thread, signal);
    if (starter === null) return toReading(fitted.turns, read.error ?? error);
    const others = starter.id === trigger?.id ? read.messages : messages;
    return toReading(fitThread({ ...read, messages: others, starter }, options).turns, read.error);
  }
}

function requireReader(thread: ThreadReader): void {
  const { fetchPage, fetchStarter } = (thread ?? {}) as Partial<ThreadReader>;
  if (typeof fetchPage !== 'function' || typeof fetchStarter !== 'function') {
    throw new TypeError('ThreadContextBuilder needs a reader: an object with fetchPage and fetchStarter.');
  }
}

/** A message that was just written may be missing from the pages; so is everything where they failed. */
function withTrigger(
  messages: readonly ThreadMessage[],
  trigger: ThreadMessage | undefined,
): readonly ThreadMessage[] {
  if (trigger === undefined || messages.some(({ id }) => id === trigger.id)) return messages;
  return [trigger, ...messages];
}

async function readStarter(
  thread: ThreadReader,
  signal: AbortSignal | undefined,
): Promise<{ starter: ThreadMessage | null; error: unknown }> {
  try {
    return { starter: (await thread.fetchStarter({ signal })) ?? null, error: null };
  } catch (error) {
    signal?.throwIfAborted();
    return { starter: null, error: toReason(error) };
  }
}

function toReading(turns: Parameters<typeof joinOwnTurns>[0], error: unknown): ThreadReading {
  return { turns: joinOwnTurns(turns).map(toChatTurn), complete: error === null, error };
}
