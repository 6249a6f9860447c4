import fc from 'fast-check';
import { expect, it } from 'vitest';
import { allRows, end, openWatchBed, places, runOf, type WatchBed } from './watch-bed.ts';

/** Something that happens to one of four runs, or a look at them. */
const step = fc.record({
  what: fc.constantFrom('begin', 'work', 'pause', 'resume', 'end', 'remove', 'queue', 'look'),
  number: fc.integer({ min: 1, max: 4 }),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const [, openFiles] = places[0];

it('any interleaving of runs that begin, pause, resume, end and are removed is shown as a fresh read shows it [NX-320]', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const bed = await openWatchBed(openFiles);
      try {
        const life = new Life(bed);
        for (const one of steps) await life.take(one);
        bed.time += 60_000;
        const shown = await bed.watch.reader.readBoard(allRows);
        await bed.watch.load();
        bed.time += 60_000;
        await bed.watch.reader.readBoard(allRows);
        await bed.watch.load();
        const loaded = await bed.watch.reader.readBoard(allRows);
        const fresh = await bed.watchAnew().reader.readBoard(allRows);
        expect(loaded).toEqual(fresh);
        expect(loaded.counts.running + loaded.counts.paused).toBe(shown.counts.running + shown.counts.paused);
      } finally {
        await bed.close();
      }
    }),
    { numRuns: 40 },
  );
});

/** Lives of runs, each of which ends once. */
class Life {
  readonly #bed: WatchBed;
  readonly #states = new Map<number, 'running' | 'paused' | 'over'>();

  constructor(bed: WatchBed) {
    this.#bed = bed;
  }

  async take({ what, number }: Step): Promise<void> {
    const { store, watch, storage, queue } = this.#bed;
    const { uuid, taskKeyText } = runOf(number);
    const state = this.#states.get(number);
    this.#bed.time += 1_000;
    if (what === 'look') await watch.reader.readBoard(allRows);
    if (what === 'queue') {
      const key = `github.com ${taskKeyText}`;
      const at = queue.findIndex((entry) => entry.key === key);
      const runId = state === 'paused' ? uuid : null;
      if (at !== -1) queue.splice(at, 1);
      else if (state === 'paused' || state === undefined)
        queue.push({ key, kind: 'new', platform: 'github.com', runId, since: this.#bed.time });
    }
    if (what === 'begin' && state === undefined) {
      await store.open(runOf(number));
      this.#states.set(number, 'running');
    }
    if (what === 'work' && state === 'running') {
      const usage = { inputTokens: 10, outputTokens: 1 };
      const message = { role: 'assistant', content: 'a' };
      await (await store.restore(uuid)).journal.append({ type: 'message', message, usage, delivers: [] });
    }
    if (what === 'pause' && state === 'running') {
      await store.pause(uuid, { lastError: 'no model', planningState: null });
      this.#states.set(number, 'paused');
    }
    if (what === 'resume' && state === 'paused') {
      await store.resume(uuid);
      this.#states.set(number, 'running');
    }
    if (what === 'end' && state === 'running') {
      await (await store.restore(uuid)).journal.finish(end);
      await store.finish(uuid);
      this.#states.set(number, 'over');
    }
    if (what === 'remove' && state === 'over') {
      this.#bed.time += 3 * 86_400_000;
      await storage.upkeep.cleanUp({ keepDays: 1 });
    }
  }
}
