import { addUsage } from '../usage.ts';
import type { AgentFailure, ExecutorEvent } from './executor.ts';

/** Events that wait at most before an agent has to wait. */
const maxWaiting = 256;
/** Characters in them. */
const maxWaitingChars = 1_000_000;

/**
 * Events that wait to be read. What can be told in one is told in one; where too much waits there is no room, and whoever fills it
 * has to wait.
 */
export class EventQueue {
  readonly #onRoom: () => void;
  #waiting: ExecutorEvent[] = [];
  #chars = 0;
  #failure: AgentFailure | null = null;
  #wake: (() => void) | null = null;

  constructor({ onRoom }: { readonly onRoom: () => void }) {
    this.#onRoom = onRoom;
  }

  get hasRoom(): boolean {
    return this.#waiting.length < maxWaiting && this.#chars < maxWaitingChars;
  }

  /** Takes events in, unless it has failed. */
  add(events: readonly ExecutorEvent[]): void {
    if (this.#failure !== null) return;
    for (const event of events) {
      this.#chars += countChars(event);
      const last = this.#waiting.at(-1);
      const joined = last === undefined ? null : join(last, event);
      if (joined === null) this.#waiting.push(event);
      else this.#waiting[this.#waiting.length - 1] = joined;
    }
    if (events.length > 0) this.#wake?.();
  }

  /** Ends it: what waits is still read, and nothing comes after it. */
  fail(failure: AgentFailure): void {
    this.#failure ??= failure;
    this.#wake?.();
  }

  /** @throws the failure, once nothing waits any more */
  async next(): Promise<ExecutorEvent> {
    for (;;) {
      const event = this.#waiting.shift();
      if (event !== undefined) {
        this.#chars = this.#waiting.length === 0 ? 0 : this.#chars - countChars(event);
        this.#onRoom();
        return event;
      }
      if (this.#failure !== null) throw this.#failure;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

function countChars(event: ExecutorEvent): number {
  if (event.type === 'text') return event.text.length;
  return event.type === 'tool-end' ? event.output.length : 0;
}

/** Joins an event with the one before it; null where they stay two. */
function join(last: ExecutorEvent, event: ExecutorEvent): ExecutorEvent | null {
  if (last.type === 'text' && event.type === 'text') return { type: 'text', text: last.text + event.text };
  if (last.type === 'activity' && event.type === 'activity')
    return { type: 'activity', chars: (last.chars ?? 1) + (event.chars ?? 1) };
  if (last.type === 'usage' && event.type === 'usage')
    return { type: 'usage', usage: joinUsage(last.usage, event.usage) };
  return last.type === 'plan' && event.type === 'plan' ? event : null;
}

type Usage = Extract<ExecutorEvent, { type: 'usage' }>['usage'];

/** A cost of nothing is something that was told. */
function joinUsage(one: Usage, other: Usage): Usage {
  const sum = addUsage(one, other);
  const isTold = one.costMicros !== undefined || other.costMicros !== undefined;
  return isTold ? { ...sum, costMicros: sum.costMicros ?? 0 } : sum;
}
