import { removeHidden, type TokenCounter } from '@agent/text';
import { checkOptions, checkValue, type Expectation, expected, expectPort } from '@agent/text/options';
import { fitStable, horizon } from './fit-stable.ts';
import {
  type FittedTurns,
  fitTurns,
  limitExpectations,
  sizeOf,
  type ThreadLimitOptions,
  type ThreadLimits,
  toThreadLimits,
} from './fit-turns.ts';
import {
  joinOwnTurns,
  rememberTurns,
  type ThreadMessage,
  type ThreadReader,
  type ToTurn,
  type TurnRules,
  toTurns,
} from './to-turns.ts';
import { type ChatTurn, type ThreadTurn, toChatTurn } from './transcript-formatter.ts';

/** Options of making a conversation of a thread. */
export interface ThreadContextOptions extends ThreadLimitOptions {
  /** Messages that are read, and turns that are kept. Default: 200. */
  readonly maxMessages?: number | undefined;
  /** UTF-16 units of the transcript, at least 14. Default: 20,000, or none with `maxTranscriptTokens`. */
  readonly maxTranscriptChars?: number | undefined;
  /** Tokens of the transcript, at least 20, each message counted by itself. Default: no limit in tokens. */
  readonly maxTranscriptTokens?: number | undefined;
  /** Counts the tokens of a text for `maxTranscriptTokens`. Default: an estimate that knows no vocabulary. */
  readonly countTokens?: TokenCounter | undefined;
  /** Tells whether the message that the thread was made from stays when older turns go. Default: false. */
  readonly pinStarter?: boolean | undefined;
  /**
   * Tells whether the transcript of a thread over its budget begins at a landmark and keeps that beginning for many
   * turns, at about 60 % to 100 % of the budget, for servers that reuse what they have read. Default: false.
   */
  readonly stable?: boolean | undefined;
  /** Messages that are no part of the conversation, e.g. the bot's word that the model did not answer (D13). */
  readonly ignore?: ((message: ThreadMessage) => boolean) | undefined;
  /**
   * Tells whether characters that nobody sees and that do no work where they stand are taken out of texts and names: they
   * can carry a text that only the model would read. Default: true; false leaves a text as it was written.
   */
  readonly removeHidden?: boolean | undefined;
  /** Names somebody. Default: by `authorName`. Colons and line breaks are taken out of it. */
  readonly displayName?: ((message: ThreadMessage) => string) | undefined;
}

const expectations = {
  ...limitExpectations,
  pinStarter: expected.flag,
  stable: expected.flag,
  ignore: expected.function,
  removeHidden: expected.flag,
  displayName: expected.function,
} as const satisfies Record<keyof ThreadContextOptions, Expectation>;

const readExpectations = { signal: expected.signal, trigger: expected.object };

/** A conversation, and whether it could be read. */
export interface ThreadReading {
  /** Oldest first. */
  readonly turns: ChatTurn[];
  /** Tells whether nothing failed; what the limits left out does not count. */
  readonly complete: boolean;
  /** Error that the reader rejected with; null when it did not. */
  readonly error: unknown;
}

/**
 * Reads a thread and makes the conversation of it that a model is given: own posts are the assistant's, people's
 * carry their names, the oldest go first when there are too many.
 *
 * @example
 * const turns = await new ThreadContextBuilder({ maxMessages: 50 }).build(thread, botUserId);
 * new TranscriptFormatter().toTranscript(turns); // 'user: alice: hello\nassistant: hi'
 *
 * @see seed 003 §4.2, §5.2
 */
export class ThreadContextBuilder {
  readonly #options: Omit<FitThreadOptions, 'toTurn'>;
  readonly #rules: Omit<TurnRules, 'botUserId'>;

  constructor(options: ThreadContextOptions = {}) {
    checkOptions('ThreadContextOptions', options, expectations);
    const { pinStarter = false, stable = false, ignore = () => false } = options;
    const { displayName = ({ authorName }: ThreadMessage) => authorName } = options;
    this.#options = { ...toThreadLimits(options), pinStarter, isStable: stable };
    const cleanText = options.removeHidden === false ? (text: string) => text : removeHidden;
    this.#rules = { ignore, displayName, cleanText };
  }

  /**
   * The seed's form: the conversation as an array. `readContext` gives what could be read where this rejects.
   *
   * @throws what the reader rejected with, unchanged: a thread that could not be read is no empty one
   */
  async build(thread: ThreadReader, botUserId: number | string): Promise<ChatTurn[]> {
    const { turns, complete, error } = await this.readContext(thread, botUserId);
    if (!complete) throw error;
    return turns;
  }

  /**
   * Reads what can be read, and says what failed. With the message to be answered as `trigger`, that one is there even if no
   * page is.
   *
   * @throws the signal's reason when the caller gave up
   * @throws TypeError without a reader, and for an option that is unknown or wrong
   */
  async readContext(
    thread: ThreadReader,
    botUserId: number | string,
    call: { signal?: AbortSignal | undefined; trigger?: ThreadMessage | undefined } = {},
  ): Promise<ThreadReading> {
    checkValue('The reader of ThreadContextBuilder', thread, expectPort('fetchPage', 'fetchStarter'));
    checkValue('The botUserId of ThreadContextBuilder', botUserId, expected.id);
    checkOptions('The options of readContext', call, readExpectations);
    const { signal, trigger } = call;
    const rules = { ...this.#rules, botUserId: String(botUserId) };
    const options = { ...this.#options, toTurn: rememberTurns(rules) };
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

interface BudgetMeterOptions extends Pick<ThreadLimits, 'maxSize' | 'sizeOf'> {
  readonly toTurn: ToTurn;
  readonly isStable: boolean;
}

/**
 * Fed with page after page, newest first, it says whether older messages could still be shown, or in stable mode
 * matter for where the transcript begins.
 */
function createBudgetMeter(options: BudgetMeterOptions): (page: readonly ThreadMessage[]) => boolean {
  const { maxSize, sizeOf: measure = sizeOf, isStable, toTurn } = options;
  const reach = isStable ? (1 + horizon) * maxSize : maxSize;
  let size = 0;
  return (page) => {
    for (const turn of toTurns(page, toTurn)) {
      if (size > reach) break;
      size += measure(turn, size === 0);
    }
    return size <= reach;
  };
}

/** Messages that were read of a thread. */
interface ThreadHistory {
  /** Newest first. */
  readonly messages: readonly ThreadMessage[];
  /** Null when there is none, and while it was not asked for. */
  readonly starter: ThreadMessage | null;
  /** Tells whether the messages go back to where the thread begins. */
  readonly isWhole: boolean;
}

interface FitThreadOptions extends ThreadLimits {
  readonly toTurn: ToTurn;
  readonly isStable: boolean;
  readonly pinStarter: boolean;
}

/** The turns of a thread that fit the limits. The message that it was made from is its oldest, or stands first whatever its age. */
export function fitThread(history: ThreadHistory, options: FitThreadOptions): FittedTurns {
  const { messages, starter, isWhole } = history;
  const others = messages.filter(({ id }) => id !== starter?.id);
  const pinned = options.pinStarter ? fitPinned({ ...history, messages: others }, options) : null;
  if (pinned !== null) return pinned;
  const isInThread = others.length < messages.length;
  const all = starter === null || isInThread ? messages : [...messages, starter];
  return fit(toTurns(all, options.toTurn), { ...options, isWhole });
}

/** Null when there is nothing to pin, or no room for it beside the newest turn. */
function fitPinned(
  { messages, starter, isWhole }: ThreadHistory,
  options: FitThreadOptions,
): FittedTurns | null {
  const pinned = starter === null ? null : options.toTurn(starter);
  const [newest] = toTurns(messages, options.toTurn);
  if (pinned === null || newest === undefined) return null;
  const { sizeOf: measure = sizeOf } = options;
  const limits = { maxTurns: options.maxTurns - 1, maxSize: options.maxSize - measure(pinned, false) };
  if (limits.maxTurns === 0 || measure(newest, true) > limits.maxSize) return null;
  const { turns, wantsOlder } = fit(toTurns(messages, options.toTurn), { ...options, ...limits, isWhole });
  return { turns: [pinned, ...turns], wantsOlder };
}

function fit(
  turns: Iterable<ThreadTurn>,
  options: ThreadLimits & { readonly isStable: boolean; readonly isWhole: boolean },
): FittedTurns {
  return options.isStable ? fitStable(turns, options) : fitTurns(turns, options);
}

/** Limit of a page of Discord. */
const pageSize = 100;

export interface ReadMessages {
  /** Newest first, each once. */
  readonly messages: readonly ThreadMessage[];
  /** Tells whether the oldest of them is the first of the thread. */
  readonly isWhole: boolean;
  /** Error that a page was refused with; the pages before it are there. Null when all went well. */
  readonly error: unknown;
}

export interface ReadOptions {
  readonly maxMessages: number;
  /** Asked after each page: whether what is older could matter. */
  readonly wantsOlder: (page: readonly ThreadMessage[]) => boolean;
  readonly signal: AbortSignal | undefined;
}

/**
 * The newest messages, page by page. A page that fails ends the reading and keeps what was read.
 *
 * @throws the signal's reason when the caller gave up
 * @see decisions D1, D7
 */
export async function readMessages(reader: ThreadReader, options: ReadOptions): Promise<ReadMessages> {
  const { maxMessages, wantsOlder, signal } = options;
  const messages = new Map<string, ThreadMessage>();
  let ending = { isWhole: false, error: null as unknown };
  for (let before: string | null = null; messages.size < maxMessages; ) {
    const limit = Math.min(pageSize, maxMessages - messages.size);
    const { page, error } = await readPage(reader, { before, limit, signal });
    const known = messages.size;
    for (const message of page) messages.set(message.id, message);
    const isLast = page.length < limit || messages.size === known;
    ending = { isWhole: isLast && error === null, error };
    if (isLast || !wantsOlder(page)) break;
    before = page.at(-1)?.id ?? null;
  }
  return { messages: [...messages.values()], ...ending };
}

async function readPage(
  reader: ThreadReader,
  request: Parameters<ThreadReader['fetchPage']>[0],
): Promise<{ page: readonly ThreadMessage[]; error: unknown }> {
  try {
    return { page: requirePage(await reader.fetchPage(request)), error: null };
  } catch (error) {
    request.signal?.throwIfAborted();
    return { page: [], error: toReason(error) };
  }
}

function requirePage(page: readonly ThreadMessage[]): readonly ThreadMessage[] {
  if (Array.isArray(page)) return page;
  throw new TypeError('The reader did not return a list of messages; see the port ThreadReader.');
}

/** Turns what a reader rejected with into an error in any case, so that nothing takes its absence for success. */
function toReason(error: unknown): unknown {
  return error ?? new Error('The reader rejected without a reason.');
}
