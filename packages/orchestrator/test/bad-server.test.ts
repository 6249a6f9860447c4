import { findSharedPostgres } from '@agent/simulators/postgres';
import { afterEach, describe, expect, it } from 'vitest';
import { type BadServerBed, createHeldModel, openBadServerBed } from './bad-server-bed.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function open(url: string): Promise<BadServerBed> {
  const bed = await openBadServerBed(url);
  ends.push(bed.close);
  return bed;
}

const eventually = { interval: 20 };

/** Has the server refuse each line that is to be written, as one does that has no room. */
const fill = ({ direct, schema }: BadServerBed) =>
  direct.query(`CREATE FUNCTION ${schema}.fill() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
    CREATE TRIGGER fill BEFORE INSERT ON ${schema}.lines EXECUTE FUNCTION ${schema}.fill()`);

describe('a run at work while its server', () => {
  it.each<[string, (bed: BadServerBed) => unknown, (bed: BadServerBed) => unknown]>([
    ['is gone', ({ proxy }) => proxy.set('refuses'), ({ proxy }) => proxy.set(null)],
    ['has a full disk', fill, ({ direct, schema }) => direct.query(`DROP FUNCTION ${schema}.fill() CASCADE`)],
  ])(
    '%s for a minute waits, and ends as if nothing had been [NX-148]',
    { tags: ['full'] },
    async (_what, begin, end) => {
      const bed = await open(await findSharedPostgres());
      const held = createHeldModel();
      const { board, database, log } = await bed.start(held);
      await expect.poll(() => held.asked.length, eventually).toBe(1);
      await begin(bed);
      held.answer();
      await expect.poll(bed.asleepMs, eventually).toBeGreaterThan(60_000);
      expect(database.findObstacle()).not.toBeNull();
      await end(bed);
      await expect
        .poll(() => board.state.counts.runsEnded, eventually)
        .toMatchObject({ answered: 1, failed: 0 });
      const bodies = await bed.readBodies();
      expect(bodies.filter((body) => body.includes('It is four.'))).toHaveLength(1);
      expect([bodies.length, held.asked.length]).toEqual([2, 2]);
      expect(log.filter((line) => line.startsWith('error'))).toEqual([]);
    },
  );
});
