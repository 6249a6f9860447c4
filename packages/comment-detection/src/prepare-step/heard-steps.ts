import type { CallOptions } from '@agent/platforms';
import { type Expectation, expectPort } from '@agent/text/options';
import type { ModelMessage } from 'ai';
import type { CommentChange, DeliveryReceipt } from '../changes.ts';
import { type FailureListener, heedPoll } from '../comment-detection-error.ts';
import type { CommentDetectionManager } from '../comment-detection-manager.ts';

/** Input of a step, as far as comments need it. */
export interface PreparedStep {
  readonly messages: readonly ModelMessage[];
  /** Counts from 0 within a call. Left out, a list that is shorter than before begins another call. */
  readonly stepNumber?: number | undefined;
}

/** Options of `HeardSteps`. */
export interface HeardStepsOptions {
  readonly manager: CommentDetectionManager;
  readonly onDelivered?: ((receipt: DeliveryReceipt) => void) | undefined;
  readonly onError?: FailureListener | undefined;
}

/** A manager, as an option or an argument. */
export const expectedManager: Expectation = {
  ...expectPort('checkForChanges', 'takeDelivery'),
  text: 'a CommentDetectionManager; to make one, give it the source',
};

/** Result of a poll, and the message for the model. */
interface TakenMessage {
  readonly status: 'checked' | 'skipped' | 'failed';
  readonly message: ModelMessage | null;
  readonly error?: unknown;
}

interface Inserted {
  readonly at: number;
  readonly message: ModelMessage;
}

/**
 * Comments in the steps of calls. `ai` 7 keeps the messages that a `prepareStep` gives for later steps, `ai` 6 gives it its own
 * list each time: what was heard is put back where it is missing.
 */
export class HeardSteps {
  readonly #options: HeardStepsOptions;
  #inserted: Inserted[] = [];
  #longest = 0;
  /** Told since the last `settle`, by comment, revision and kind. */
  readonly #told = new Map<string, DeliveryReceipt['delivers'][number]>();

  constructor(options: HeardStepsOptions) {
    this.#options = options;
  }

  /** Learns what is history, once: all that is said from then on will be heard. */
  async startListening(): Promise<void> {
    const { manager, onError } = this.#options;
    if (!manager.initialized) heedPoll(await manager.initialize(), onError);
  }

  /** Gives the messages of the next request; undefined where they are as they were. */
  async prepare(
    { messages, stepNumber }: PreparedStep,
    { signal }: CallOptions = {},
  ): Promise<ModelMessage[] | undefined> {
    if (stepNumber === 0 || (stepNumber === undefined && messages.length < this.#longest)) this.begin();
    await this.startListening();
    const heard = this.restore(messages);
    if (hasPendingToolCall(heard)) return undefined;
    this.#longest = heard.length;
    const { message } = await this.take({ barrier: false, signal });
    if (message === null) return heard.length === messages.length ? undefined : heard;
    this.#inserted.push({ at: heard.length, message });
    return [...heard, message];
  }

  /** Polls, and gives what was not told yet; at the barrier only if somebody who may steer said any of it. */
  async take({ barrier, signal }: { readonly barrier: boolean } & CallOptions): Promise<TakenMessage> {
    const { manager } = this.#options;
    const polled = await this.poll({ barrier, signal });
    if (!manager.enabled) return polled;
    const changes = manager.listDeliverable({ barrier }).filter((change) => !this.#told.has(keyOf(change)));
    const composed = await manager.composeDelivery({ changes, barrier, signal });
    if (composed === null || (barrier && !composed.fromTrusted)) return polled;
    for (const item of composed.receipt.delivers)
      this.#told.set(`${item.kind} ${item.id} ${item.revision}`, item);
    return { ...polled, message: { role: 'user', content: composed.text } };
  }

  /** Polls, and gives no message. */
  async poll({ barrier, signal }: { readonly barrier: boolean } & CallOptions): Promise<TakenMessage> {
    const { manager, onError } = this.#options;
    if (!manager.enabled) return { status: 'checked', message: null };
    const { status, error } = await manager.checkForChanges({ barrier, signal });
    if (!signal?.aborted) heedPoll({ status, error }, onError);
    return { status, message: null, error };
  }

  /** Counts as delivered all that was told. */
  settle(): void {
    const delivers = [...this.#told.values()];
    this.#told.clear();
    if (delivers.length === 0) return;
    this.#options.manager.markDelivered({ delivers });
    this.#options.onDelivered?.({ delivers });
  }

  /** Puts what was heard in this call back to its places. */
  restore(messages: readonly ModelMessage[]): ModelMessage[] {
    const all = [...messages];
    for (const { at, message } of this.#inserted) {
      const there = all[at];
      if (there?.role !== 'user' || there.content !== message.content) all.splice(at, 0, message);
    }
    return all;
  }

  /** Begins another call, whose messages hold whatever was heard before. */
  begin(): void {
    this.#inserted = [];
    this.#longest = 0;
  }
}

function keyOf({ kind, comment, revision }: CommentChange): string {
  return `${kind} ${comment.id} ${revision}`;
}

/** A message between a tool call and its result would be refused by most endpoints. */
function hasPendingToolCall(messages: readonly ModelMessage[]): boolean {
  const pending = new Set<string>();
  for (const { content } of messages) {
    if (typeof content === 'string') continue;
    for (const part of content) {
      if (part.type === 'tool-call' && part.providerExecuted !== true) pending.add(part.toolCallId);
      if (part.type === 'tool-result') pending.delete(part.toolCallId);
    }
  }
  return pending.size > 0;
}
