import { createEventQueue, type EventQueue } from './event-queue.ts';
import type { VirtualClock } from './fleet-forge.ts';
import { createRandom } from './random.ts';

/** One task's way of checking its thread, and of having somebody write on it. */
export interface SimulatedTask {
  /** Ids of what is new; null where it could not look. */
  readonly check: () => Promise<readonly string[] | null>;
  /** Somebody comments; returns the comment's id. */
  readonly comment: () => string;
  /** The webhook for a comment arrives. Null where there are none. */
  readonly ring: ((id: string) => void) | null;
}

export interface HourOptions {
  readonly tasks: readonly SimulatedTask[];
  readonly clock: VirtualClock;
  /** Called when the hour begins, after five minutes in which all is under way. */
  readonly onBegin: () => void;
  /** Called when it is over; what was said in it may still be heard for three minutes. */
  readonly onEnd: () => void;
}

/** What was said in the hour, and when it was heard. */
export interface HeardHour {
  readonly said: number;
  readonly delaysMs: readonly number[];
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const warmUpMs = 5 * minuteMs;
const afterMs = 3 * minuteMs;
const betweenChecksMs = 10_000;
const commentsPerHour = 6;
/** How long a webhook takes to arrive: an assumption. */
const webhookMs = 500;
/** A task that was looked at within the last second is looked at again when it is over. */
const againMs = 250;

type FleetEvent =
  | { readonly at: number; readonly kind: 'begin' }
  | { readonly at: number; readonly kind: 'end' }
  | { readonly at: number; readonly kind: 'check'; readonly task: SimulatedTask }
  | { readonly at: number; readonly kind: 'comment'; readonly task: SimulatedTask }
  | { readonly at: number; readonly kind: 'ring'; readonly task: SimulatedTask; readonly id: string }
  | { readonly at: number; readonly kind: 'look'; readonly task: SimulatedTask; readonly left: number };

/** An hour event by event: no time passes while something is asked, and none is waited for. */
export async function simulateHour(options: HourOptions): Promise<HeardHour> {
  const { tasks, clock } = options;
  const queue = createEventQueue<FleetEvent>();
  const begin = clock.time + warmUpMs;
  const end = begin + hourMs;
  plan(queue, { tasks, start: clock.time, begin, end });
  const saidAt = new Map<string, number>();
  const delaysMs: number[] = [];
  let said = 0;
  const check = async (task: SimulatedTask): Promise<boolean> => {
    const heard = await task.check();
    for (const id of heard ?? []) {
      const at = saidAt.get(id);
      if (saidAt.delete(id) && at !== undefined && at >= begin) delaysMs.push(clock.time - at);
    }
    return heard !== null;
  };
  const run = async (event: FleetEvent): Promise<void> => {
    const { at } = event;
    if (event.kind === 'begin') options.onBegin();
    else if (event.kind === 'end') options.onEnd();
    else if (event.kind === 'ring') {
      event.task.ring?.(event.id);
      queue.add({ at, kind: 'look', task: event.task, left: 4 });
    } else if (event.kind === 'look') {
      const isDone = await check(event.task);
      if (!isDone && event.left > 0) queue.add({ ...event, at: at + againMs, left: event.left - 1 });
    } else if (event.kind === 'check') {
      queue.add({ ...event, at: at + betweenChecksMs });
      await check(event.task);
    } else {
      const id = event.task.comment();
      saidAt.set(id, at);
      if (at >= begin) said += 1;
      if (event.task.ring !== null) queue.add({ at: at + webhookMs, kind: 'ring', task: event.task, id });
    }
  };
  for (let event = queue.take(); event !== undefined && event.at < end + afterMs; event = queue.take()) {
    clock.time = event.at;
    await run(event);
  }
  return { said, delaysMs };
}

/** Checks begin spread over the time between two; comments are spread evenly by chance. */
function plan(
  queue: EventQueue<FleetEvent>,
  hour: {
    readonly tasks: readonly SimulatedTask[];
    readonly start: number;
    readonly begin: number;
    readonly end: number;
  },
): void {
  const { tasks, start, begin, end } = hour;
  const random = createRandom(20_261_122);
  queue.add({ at: begin, kind: 'begin' });
  queue.add({ at: end, kind: 'end' });
  for (const [index, task] of tasks.entries()) {
    queue.add({ at: start + Math.floor((index / tasks.length) * betweenChecksMs), kind: 'check', task });
    if (random() < (commentsPerHour * warmUpMs) / hourMs)
      queue.add({ at: start + Math.floor(random() * warmUpMs), kind: 'comment', task });
    for (let count = 0; count < commentsPerHour; count += 1)
      queue.add({ at: begin + Math.floor(random() * hourMs), kind: 'comment', task });
  }
}
