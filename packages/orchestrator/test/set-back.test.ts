// @module-tag full
import { connectPostgres } from '@agent/run-store/postgres';
import { startPostgres } from '@agent/simulators/postgres';
import { afterEach, describe, expect, it } from 'vitest';
import { type BadServerBed, createHeldModel, openBadServerBed } from './bad-server-bed.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const eventually = { interval: 20 };

/** A server of its own, and a run on it whose model was asked once. */
async function beginOnOwnServer() {
  const server = await startPostgres();
  ends.push(server.remove);
  const bed = await openBadServerBed(server.url);
  ends.push(bed.close);
  const held = createHeldModel();
  const process = await bed.start(held);
  ends.push(async () => held.answer());
  await expect.poll(() => held.asked.length, eventually).toBe(1);
  return { server, bed, held, process };
}

const countAnswers = async ({ readBodies }: BadServerBed) =>
  (await readBodies()).filter((body) => body.includes('It is four.')).length;

describe('a run whose server is set back behind it', () => {
  it('by a backup goes on from what is there, and ends with one report [NX-151, NX-173]', async () => {
    const { server, bed, held, process } = await beginOnOwnServer();
    const putBack = await server.backUp();
    held.answer(1);
    await expect.poll(() => held.asked.length, eventually).toBe(2);
    await putBack();
    held.answer();
    const { board, log } = process;
    await expect
      .poll(() => board.state.counts.runsEnded, eventually)
      .toMatchObject({ answered: 1, failed: 0 });
    expect(log.some((line) => line.includes('was the database restored from a backup?'))).toBe(true);
    expect([(await bed.readBodies()).length, await countAnswers(bed)]).toEqual([2, 1]);
  });

  it('by a backup, after its end and while nobody works, is left as its thread shows it [NX-173]', {
    tags: ['release'],
  }, async () => {
    const { server, bed, held, process } = await beginOnOwnServer();
    const putBack = await server.backUp();
    held.answer();
    await expect.poll(() => process.board.state.counts.runsEnded.answered, eventually).toBe(1);
    await process.end();
    const [before, asked] = [await bed.readBodies(), held.asked.length];
    await putBack();
    const next = await bed.start(held);
    await expect.poll(() => next.board.state.counts.runsEnded, eventually).toMatchObject({ stopped: 1 });
    await next.end();
    expect([await bed.readBodies(), held.asked.length]).toEqual([before, asked]);
    expect(next.log).toContainEqual(expect.stringContaining('warn withdrawing run: another run holds task'));
  });

  it('by a replica that lags goes on from what that has, once it may be written to [NX-173]', {
    tags: ['release'],
  }, async () => {
    const { server, bed, held, process } = await beginOnOwnServer();
    const replica = await server.startReplica();
    const second = await connectPostgres({ url: replica.url });
    ends.push(second.close);
    // From here on the replica gets nothing more.
    await second.query(`ALTER SYSTEM SET primary_conninfo = ''`);
    await second.query('SELECT pg_reload_conf()');
    const isFollowing = async () => (await second.query('SELECT FROM pg_stat_wal_receiver')).length > 0;
    await expect.poll(isFollowing, eventually).toBe(false);
    held.answer(1);
    await expect.poll(() => held.asked.length, eventually).toBe(2);
    await server.stop('immediate');
    bed.proxy.lead(replica.port);
    await expect.poll(() => process.database.findObstacle()?.message, eventually).toContain('is read-only');
    held.answer();
    await second.query('SELECT pg_promote()');
    const ended = () => process.board.state.counts.runsEnded;
    await expect.poll(ended, eventually).toMatchObject({ answered: 1, failed: 0 });
    expect([(await bed.readBodies()).length, await countAnswers(bed)]).toEqual([2, 1]);
  });
});
