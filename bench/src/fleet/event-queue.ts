/** What happens at a time. */
export interface Timed {
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Events in the order of their times; those of one time in the order they were put in. */
export interface EventQueue<Event extends Timed> {
  readonly add: (event: Event) => void;
  /** The next one, which is taken out; undefined where none is left. */
  readonly take: () => Event | undefined;
}

interface Entry<Event extends Timed> {
  readonly event: Event;
  readonly order: number;
}

/** A binary heap. */
export function createEventQueue<Event extends Timed>(): EventQueue<Event> {
  const heap: Entry<Event>[] = [];
  let added = 0;
  return {
    add: (event) => {
      raise(heap, { event, order: added });
      added += 1;
    },
    take: () => {
      const first = heap[0];
      const last = heap.pop();
      if (last !== undefined && heap.length > 0) sink(heap, last);
      return first?.event;
    },
  };
}

/** Puts an entry in, from the end upwards. */
function raise<Event extends Timed>(heap: Entry<Event>[], entry: Entry<Event>): void {
  let place = heap.length;
  while (place > 0) {
    const above = (place - 1) >> 1;
    const parent = heap[above];
    if (parent === undefined || !isBefore(entry, parent)) break;
    heap[place] = parent;
    place = above;
  }
  heap[place] = entry;
}

/** Puts an entry in whose place at the top is free, downwards. */
function sink<Event extends Timed>(heap: Entry<Event>[], entry: Entry<Event>): void {
  let place = 0;
  for (;;) {
    let below = place * 2 + 1;
    let child = heap[below];
    const other = heap[below + 1];
    if (child !== undefined && other !== undefined && isBefore(other, child)) {
      below += 1;
      child = other;
    }
    if (child === undefined || !isBefore(child, entry)) break;
    heap[place] = child;
    place = below;
  }
  heap[place] = entry;
}

function isBefore<Event extends Timed>(one: Entry<Event>, other: Entry<Event>): boolean {
  return one.event.at < other.event.at || (one.event.at === other.event.at && one.order < other.order);
}
