import type { TokenCounter } from '@agent/text';
import type { ModelMessage } from 'ai';
import type { ContextItem } from '../model.ts';
import { countMessageTokens } from './count-tokens.ts';
import { fairShare } from './fair-share.ts';
import { countCalls, type MessageGroups, toGroups } from './message-groups.ts';
import { elideResults, shortenMessage } from './shorten-message.ts';

/** Decisions to shorten messages, by their numbers in the journal. */
export interface ArrangementState {
  /** Results up to this number are elided. */
  readonly elidedTo: number;
  /** Messages up to this number are left out. */
  readonly leftOutTo: number;
  /** Largest sizes of shortened messages, in tokens. */
  readonly sizes: readonly (readonly [seq: number, maxTokens: number])[];
}

/** Sizes in tokens. */
export interface ArrangementLimits {
  /** From here old results are elided. */
  readonly soft: number;
  /** Nothing larger may be sent. */
  readonly hard: number;
  /** Tokens to free when results are elided. */
  readonly step: number;
  /** Largest result of a tool that only reads. */
  readonly result: number;
  /** Largest result of any other tool, such as the output of a command. */
  readonly report: number;
}

export interface Arranged {
  readonly messages: readonly ModelMessage[];
  readonly tokens: number;
  /** Tokens of each item; 0 if it is left out. */
  readonly sizes: readonly number[];
}

interface Shown {
  readonly key: string;
  readonly message: ModelMessage;
  readonly tokens: number;
}

/** Smallest sizes of a shortened message, in tokens. */
const smallest = { other: 70, newest: 160 };
/** An elided result has to free this many tokens. */
const worthEliding = 60;
/** Share of the room that earlier messages leave to new results. */
const newestShare = 0.4;

/**
 * Decides how the messages of a conversation are shortened so that they fit. A decision stays: later requests begin with the same
 * messages until more has to be shortened. The order is: old results of tools, new results, other messages, and last the
 * newest message of a user.
 */
export class Arrangement {
  /** True if the tool `read_output` is available to the model. */
  hasHandles = false;
  /** Names of the tools that only read. */
  readers: ReadonlySet<string> = new Set();
  readonly #count: TokenCounter;
  readonly #shown = new WeakMap<ModelMessage, Shown>();
  #kept = new Set<ContextItem>();
  #sizes = new Map<number, number>();
  #elidedTo = 0;
  #leftOutTo = 0;

  constructor(count: TokenCounter) {
    this.#count = count;
  }

  get state(): ArrangementState {
    return { elidedTo: this.#elidedTo, leftOutTo: this.#leftOutTo, sizes: [...this.#sizes] };
  }

  restore({ elidedTo, leftOutTo, sizes }: ArrangementState): void {
    this.#elidedTo = elidedTo;
    this.#leftOutTo = leftOutTo;
    this.#sizes = new Map(sizes);
  }

  forget({ startSeq, endSeq }: { readonly startSeq: number; readonly endSeq: number }): void {
    for (const seq of this.#sizes.keys()) if (startSeq <= seq && seq <= endSeq) this.#sizes.delete(seq);
  }

  arrange(items: readonly ContextItem[], limits: ArrangementLimits): Arranged {
    const groups = toGroups(items);
    this.#kept = new Set(groups.kept);
    const isRead = (item: ContextItem) => this.#isRead(item);
    const [read, reported] = [
      groups.newResults.filter(isRead),
      groups.newResults.filter((one) => !isRead(one)),
    ];
    this.#share(read, { share: limits.result, min: smallest.newest });
    this.#share(reported, { share: limits.report, min: smallest.newest });
    if (this.#sum(items) > limits.soft) this.#elide(items, { results: groups.oldResults, ...limits });
    const hard = limits.hard - noteTokens;
    if (this.#sum(items) > hard) this.#squeeze(items, { groups, hard });
    return this.#show(items);
  }

  #isRead({ message: { role, content } }: ContextItem): boolean {
    return (
      role === 'tool' &&
      content.every((part) => part.type !== 'tool-result' || this.readers.has(part.toolName))
    );
  }

  #elide(
    items: readonly ContextItem[],
    {
      results,
      soft,
      step,
    }: { readonly results: readonly ContextItem[] } & Pick<ArrangementLimits, 'soft' | 'step'>,
  ): void {
    let left = this.#sum(items);
    for (const item of results) {
      if (left <= soft - step) return;
      if (item.seq <= this.#elidedTo) continue;
      const before = this.#tokensOf(item);
      this.#elidedTo = item.seq;
      left += this.#tokensOf(item) - before;
    }
  }

  #squeeze(
    items: readonly ContextItem[],
    { groups, hard }: { readonly groups: MessageGroups; readonly hard: number },
  ): void {
    const { newResults, others, kept } = groups;
    const isTooLarge = () => this.#sum(items) > hard;
    const roomOf = (group: readonly ContextItem[]) => hard - this.#sum(items) + this.#sum(group);
    this.#fill(newResults, { room: Math.max(roomOf(newResults), hard * newestShare), min: smallest.newest });
    if (isTooLarge()) this.#fill(others, { room: roomOf(others), min: smallest.other });
    if (isTooLarge()) this.#leaveOut(items, { groups, excess: this.#sum(items) - hard * (1 - newestShare) });
    for (const group of [newResults, kept])
      if (isTooLarge()) this.#fill(group, { room: roomOf(group), min: smallest.other });
  }

  /** Shortens the larger messages of a group until all fit the room. */
  #fill(group: readonly ContextItem[], { room, min }: { readonly room: number; readonly min: number }): void {
    let share = fairShare(
      group.map((item) => this.#tokensOf(item)),
      room,
    );
    for (let attempt = 0; attempt < 10 && this.#sum(group) > room; attempt += 1) {
      this.#share(group, { share, min });
      share *= 0.85;
    }
  }

  /** Shortens each message of a group to its share. */
  #share(
    group: readonly ContextItem[],
    { share, min }: { readonly share: number; readonly min: number },
  ): void {
    const maxTokens = Math.max(min, Math.floor(share));
    for (const item of group) if (this.#tokensOf(item) > maxTokens) this.#sizes.set(item.seq, maxTokens);
  }

  /** Leaves out the oldest messages, calls together with their results. */
  #leaveOut(
    items: readonly ContextItem[],
    { groups, excess }: { readonly groups: MessageGroups; readonly excess: number },
  ): void {
    let freed = 0;
    let pending = 0;
    let open = 0;
    for (const item of items.slice(0, groups.newestTurn)) {
      if (freed >= excess) return;
      if (!this.#kept.has(item)) pending += this.#tokensOf(item);
      const { message } = item;
      if (message.role === 'assistant') open = countCalls(message);
      if (message.role === 'tool') open -= message.content.length;
      if (open > 0) continue;
      this.#leftOutTo = Math.max(this.#leftOutTo, item.seq);
      freed += pending;
      pending = 0;
    }
  }

  #show(items: readonly ContextItem[]): Arranged {
    const sizes = items.map((item) => this.#tokensOf(item));
    const leftOut = items.filter((item) => this.#isLeftOut(item));
    const [first] = leftOut;
    const messages = items.flatMap((item) => {
      if (item === first) return [this.#noteLeftOut(leftOut)];
      return this.#isLeftOut(item) ? [] : [this.#shownOf(item).message];
    });
    const tokens = sizes.reduce((sum, size) => sum + size, first === undefined ? 0 : noteTokens);
    return { messages, tokens, sizes };
  }

  #noteLeftOut(items: readonly ContextItem[]): ModelMessage {
    const [first, last] = [items[0]?.seq ?? 0, items.at(-1)?.seq ?? 0];
    const read = this.hasHandles
      ? ` Read one of them with read_output {"handle":"message-N"}, N from ${first} to ${last}.`
      : '';
    const content = `[${items.length} messages are left out here, because of the context window.${read}]`;
    return { role: 'user', content };
  }

  #isLeftOut(item: ContextItem): boolean {
    return item.seq <= this.#leftOutTo && !this.#kept.has(item);
  }

  #sum(items: readonly ContextItem[]): number {
    return items.reduce((sum, item) => sum + this.#tokensOf(item), 0);
  }

  #tokensOf(item: ContextItem): number {
    return this.#isLeftOut(item) ? 0 : this.#shownOf(item).tokens;
  }

  #shownOf({ seq, message }: ContextItem): Shown {
    const maxTokens = this.#sizes.get(seq) ?? null;
    const isElided = message.role === 'tool' && seq <= this.#elidedTo;
    const key = `${maxTokens ?? 'whole'} ${isElided} ${this.hasHandles}`;
    const known = this.#shown.get(message);
    if (known?.key === key) return known;
    const shown = { key, ...this.#shorten(message, { seq, maxTokens, isElided }) };
    this.#shown.set(message, shown);
    return shown;
  }

  #shorten(
    message: ModelMessage,
    {
      seq,
      maxTokens,
      isElided,
    }: { readonly seq: number; readonly maxTokens: number | null; readonly isElided: boolean },
  ): Omit<Shown, 'key'> {
    const handle = this.hasHandles ? `${message.role === 'tool' ? 'output' : 'message'}-${seq}` : null;
    const measured = (one: ModelMessage) => ({ message: one, tokens: countMessageTokens(one, this.#count) });
    const options = { count: this.#count, handle };
    const whole =
      maxTokens === null ? measured(message) : measured(shortenMessage(message, { ...options, maxTokens }));
    if (!isElided) return whole;
    const elided = measured(elideResults(message, options));
    return whole.tokens - elided.tokens > worthEliding ? elided : whole;
  }
}

/** Tokens of the note that stands for messages that are left out. */
const noteTokens = 60;
