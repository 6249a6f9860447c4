import type { ModelMessage, ToolCallPart } from 'ai';
import { RepeatedCalls, ToolFailures } from './fruitless-calls.ts';
import {
  type ContextItem,
  type JournalEvent,
  type JsonValue,
  type OpeningCost,
  planningFactName,
  type RunSummary,
  type TokenUsage,
  windowFactName,
} from './model.ts';
import type { CommentReceipt, HideKnownSecrets, RunJournal } from './ports.ts';
import { joinInstructions, type ReplayedJournal, type WorkLine } from './replay-journal.ts';
import { listToolCalls, type Tally } from './tally.ts';

interface ConversationOptions {
  readonly journal: RunJournal;
  readonly tally: Tally;
  readonly hideKnownSecrets: HideKnownSecrets;
  /** For plans. Default `hideKnownSecrets`. */
  readonly redactSecrets?: HideKnownSecrets | undefined;
  /** Hears of each line of the run's own work, also of those that are read back. */
  readonly onLine?: ((line: WorkLine) => void) | undefined;
}

interface AppendOptions {
  readonly usage?: TokenUsage | null;
  readonly delivers?: CommentReceipt['delivers'];
  /** Tells whether it is one of those with which the conversation begins, so that nothing in it was done by this run. */
  readonly isOpening?: boolean;
  readonly opens?: number | undefined;
  readonly spent?: OpeningCost | undefined;
}

/** Conversation as the model sees it, in step with the journal: nothing is in the one that is not in the other. */
export class Conversation {
  readonly #told = new Set<string>();
  readonly #options: ConversationOptions;
  #instructions = '';
  #context: ContextItem[] = [];
  #said: ContextItem[] = [];
  #failures = new ToolFailures();
  #repeats = new RepeatedCalls();

  constructor(options: ConversationOptions, replayed: ReplayedJournal | null) {
    this.#options = options;
    if (replayed === null) return;
    this.#instructions = replayed.instructions;
    this.#context = [...replayed.context];
    this.#said = [...replayed.said];
    options.tally.countReplayed(replayed);
    for (const line of replayed.work) this.#learn(line);
  }

  /** Tools that failed again and again, since the last fact of a plan. */
  get failures(): ToolFailures {
    return this.#failures;
  }

  /** Calls that were made again and again, since then. */
  get repeats(): RepeatedCalls {
    return this.#repeats;
  }

  get instructions(): string {
    return this.#instructions;
  }

  /** Messages of the context, and what is known of each. */
  get context(): readonly ContextItem[] {
    return this.#context;
  }

  /** All messages of the user, also those that were compressed. */
  get said(): readonly ContextItem[] {
    return this.#said;
  }

  get messages(): ModelMessage[] {
    return this.#context.map(({ message }) => message);
  }

  get seqs(): number[] {
    return this.#context.map(({ seq }) => seq);
  }

  /** The last message, and whether a model call led to it; null in an empty conversation. */
  get last(): ContextItem | null {
    return this.#context.at(-1) ?? null;
  }

  /** Tells whether the model has said all that it wanted to say. */
  get endsWithAnswer(): boolean {
    const { last } = this;
    return last?.answers === true && last.message.role === 'assistant' && !hasCalls(last.message);
  }

  /** Tells whether a notice of the runner stands in the conversation, or did before it was compressed. */
  wasTold(notice: string): boolean {
    return this.#told.has(notice);
  }

  /** The calls of the last assistant's message that have no result yet. */
  get openCalls() {
    return listOpenCalls(this.messages);
  }

  /** Journals a message, synced, then takes it into the context. */
  async append(message: ModelMessage, options: AppendOptions = {}): Promise<void> {
    const { journal, tally, hideKnownSecrets } = this.#options;
    const { usage = null, delivers = [], isOpening = false, opens, spent } = options;
    const clean = hideInMessage(message, hideKnownSecrets);
    const event: JournalEvent = {
      type: 'message',
      message: clean,
      usage,
      delivers,
      activeMs: tally.statistics().durationMs,
      ...(opens === undefined ? {} : { opens }),
      ...(spent === undefined ? {} : { spent }),
    };
    const seq = await journaled(journal.append(event));
    tally.count(clean, usage);
    if (spent !== undefined) tally.addSpent(spent);
    const line = { answers: usage !== null, delivers: delivers.length > 0 };
    if (!isOpening) this.#learn({ type: 'message', message: clean, ...line });
    if (clean.role === 'user') this.#said.push({ seq, message: clean, ...line });
    if (clean.role === 'system') this.#instructions = joinInstructions([this.#instructions, clean.content]);
    else this.#context.push({ seq, message: clean, ...line });
  }

  /** Journals a fact of the run's plan, synced. The model does not see it. */
  async appendPlanningFact(data: JsonValue): Promise<void> {
    const { journal, hideKnownSecrets, redactSecrets = hideKnownSecrets } = this.#options;
    const clean = hideInValue(data, redactSecrets) as JsonValue;
    await journaled(journal.append({ type: 'fact', name: planningFactName, data: clean }));
    this.#learn({ type: 'fact', data: clean });
  }

  /** Journals the state of the window, synced, so that a resumed run sends the same messages. */
  async appendWindowFact(data: JsonValue): Promise<void> {
    await journaled(this.#options.journal.append({ type: 'fact', name: windowFactName, data }));
  }

  /** Counts a model call that left nothing in the conversation. */
  spend(usage: TokenUsage): void {
    this.#options.tally.count({ role: 'user', content: '' }, usage);
  }

  #learn(line: WorkLine): void {
    this.#options.onLine?.(line);
    if (line.type === 'fact') {
      // A fact begins another piece of work, of which earlier failures say nothing.
      this.#failures = new ToolFailures();
      this.#repeats = new RepeatedCalls();
      return;
    }
    const { message } = line;
    this.#failures.record(message);
    this.#repeats.record(message);
    if (message.role === 'user' && typeof message.content === 'string') this.#told.add(message.content);
  }

  /** Puts a summary in the place of messages, in the journal first. What is not of the context is the summary. */
  async replace(messages: readonly ModelMessage[], summary: RunSummary): Promise<void> {
    const known = new Map(this.#context.map((item) => [item.message, item]));
    const standIn = {
      seq: summary.startSeq,
      message: { role: 'assistant' as const, content: summary.text },
      answers: false,
      delivers: false,
    };
    const context = messages.map((message) => known.get(message) ?? standIn);
    const system = { role: 'system' as const, content: this.#instructions };
    const whole = [...(system.content === '' ? [] : [system]), ...context.map(({ message }) => message)];
    await journaled(this.#options.journal.replaceContext(whole, summary));
    this.#context = context;
    if (summary.usage) this.spend(summary.usage);
  }
}

function hasCalls(message: ModelMessage): boolean {
  return listToolCalls(message).length > 0;
}

/** The calls of the last assistant's message that have no result yet. */
export function listOpenCalls(messages: readonly ModelMessage[]): readonly ToolCallPart[] {
  const index = messages.findLastIndex(({ role }) => role === 'assistant');
  const message = messages[index];
  if (message === undefined) return [];
  // By position: models that run locally give several calls the same id.
  return listToolCalls(message).slice(countResults(messages.slice(index + 1)));
}

function countResults(messages: readonly ModelMessage[]): number {
  return messages.reduce(
    (count, message) => count + (message.role === 'tool' ? message.content.length : 0),
    0,
  );
}

/** Carries a journal's error up to `runTask`, past everything that handles errors of its own. */
export class JournalFailure extends Error {
  constructor(cause: unknown) {
    super('The journal could not be written', { cause });
    this.name = 'JournalFailure';
  }
}

/** Marks what a journal rejects with. */
export function journaled<Result>(write: Promise<Result>): Promise<Result> {
  return write.catch((error: unknown) => {
    throw new JournalFailure(error);
  });
}

// Names and ids tie messages together; what a provider gave back for itself, such as an encrypted chain of
// thought, is worthless when changed.
const untouchedKeys = new Set(['type', 'toolCallId', 'toolName', 'mediaType', 'providerOptions']);

/** A message without secrets in any of its texts. */
function hideInMessage(message: ModelMessage, hideKnownSecrets: HideKnownSecrets): ModelMessage {
  const { content } = message;
  const clean =
    typeof content === 'string'
      ? hideKnownSecrets(content)
      : content.map((part) => hideInPart(part, hideKnownSecrets));
  return { ...message, content: clean } as ModelMessage;
}

/** Any JSON value without secrets in its strings. */
export function hideInValue(value: unknown, hideKnownSecrets: HideKnownSecrets): unknown {
  if (typeof value === 'string') return hideKnownSecrets(value);
  if (Array.isArray(value)) return value.map((item) => hideInValue(item, hideKnownSecrets));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [hideKnownSecrets(key), hideInValue(item, hideKnownSecrets)]),
  );
}

function hideInPart(part: object, hideKnownSecrets: HideKnownSecrets): object {
  return Object.fromEntries(
    Object.entries(part).map(([key, item]) => [
      key,
      untouchedKeys.has(key) ? item : hideInValue(item, hideKnownSecrets),
    ]),
  );
}

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
