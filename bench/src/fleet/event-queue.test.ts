import { describe, expect, it } from 'vitest';
import { createEventQueue } from './event-queue.ts';
import { createRandom } from './random.ts';

describe('createEventQueue', () => {
  it('gives events back by their times, and those of one time in their order, whatever came between', () => {
    const random = createRandom(1);
    const queue = createEventQueue<{ readonly at: number; readonly name: number }>();
    const put: { readonly at: number; readonly name: number }[] = [];
    const taken: typeof put = [];
    for (let name = 0; name < 500; name += 1) {
      // Never before what has been taken: that would be the past.
      const event = { at: (taken.at(-1)?.at ?? 0) + Math.floor(random() * 20), name };
      put.push(event);
      queue.add(event);
      if (random() < 0.4) taken.push(...[queue.take() ?? []].flat());
    }
    for (let event = queue.take(); event !== undefined; event = queue.take()) taken.push(event);
    expect(taken).toEqual(put.toSorted((one, other) => one.at - other.at || one.name - other.name));
  });
});
