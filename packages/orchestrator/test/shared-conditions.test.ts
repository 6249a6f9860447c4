import { randomUUID } from 'node:crypto';
import type { RunStorage } from '@agent/run-store';
import { connectPostgres, createPostgresStorage } from '@agent/run-store/postgres';
import { findSharedPostgres } from '@agent/simulators/postgres';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepConditions, readConditions } from '../src/board/conditions.ts';
import { TaskBoard } from '../src/board/task-board.ts';

let schema = '';
const open: RunStorage[] = [];
beforeEach(() => {
  schema = `seen_${randomUUID().replaceAll('-', '')}`;
});
afterEach(async () => {
  const database = await connectPostgres({ url: await findSharedPostgres() });
  for (const storage of open.splice(0)) await storage.close();
  await database.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
  await database.close();
});

async function openStorage(): Promise<RunStorage & { readonly renew: () => void }> {
  const tasks = new Set<() => void>();
  const repeat = (task: () => void) => {
    tasks.add(task);
    return () => void tasks.delete(task);
  };
  const database = await connectPostgres({ url: await findSharedPostgres() });
  const storage = createPostgresStorage({ database, schema, repeat });
  open.push(storage);
  return {
    ...storage,
    renew: () => {
      for (const task of tasks) task();
    },
  };
}

async function startProcess() {
  const storage = await openStorage();
  const owner = await storage.members.acquire();
  const board = new TaskBoard({ now: () => 5 });
  const logger = pino({ level: 'silent' });
  const stop = keepConditions(board, { storage, member: owner.number, redact: (text) => text, logger });
  return { storage, owner, board, stop };
}

describe('conditions of processes that share a place', () => {
  it('are kept of each beside the others, as long as it works there, and the last ones when none does [NX-136]', async () => {
    const [one, two] = [await startProcess(), await startProcess()];
    one.board.observe({ type: 'look', platform: 'github', error: 'It is away.' });
    two.board.observe({ type: 'condition', part: 'model', state: 'ok', reason: null });
    const list = async () =>
      (await readConditions(one.storage)).map(({ part, member }) => ({ part, member }));
    const ofOne = { part: 'platform:github', member: one.owner.number };
    const ofTwo = { part: 'model', member: two.owner.number };
    await expect.poll(async () => new Set(await list())).toEqual(new Set([ofOne, ofTwo]));
    await one.stop();
    await one.owner.release();
    expect(await list()).toEqual([ofTwo]);
    await two.stop();
    await two.owner.release();
    expect(await list()).toContainEqual(ofTwo);
  });

  it('of platforms are those of the process that looks for tasks: one that does so no more has none of its own [NX-136]', async () => {
    const { board, storage, owner, stop } = await startProcess();
    board.observe({ type: 'lead', leads: true });
    board.observe({ type: 'look', platform: 'github', error: 'It is away.' });
    board.observe({ type: 'condition', part: 'place:github/acme/shop', state: 'failed', reason: '404' });
    board.observe({ type: 'condition', part: 'model', state: 'ok', reason: null });
    const listParts = async () => (await readConditions(storage)).map(({ part }) => part);
    await expect.poll(listParts).toEqual(['lead', 'platform:github', 'place:github/acme/shop', 'model']);
    board.observe({ type: 'lead', leads: false });
    await stop();
    expect(await listParts()).toEqual(['model']);
    expect([...board.state.conditions.keys()]).toEqual(['model']);
    await owner.release();
  });

  it('a process whose term another one has taken hears that it leads no more [NX-136]', async () => {
    const [one, two] = [await openStorage(), await openStorage()];
    const heard: string[] = [];
    const lead = ({ sharing }: RunStorage, name: string) =>
      sharing?.lead('look', {
        onLeading: () => heard.push(`${name} leads`),
        onFollowing: () => heard.push(`${name} follows`),
      });
    const [first, second] = [lead(one, 'one'), lead(two, 'two')];
    await first?.isLeading();
    await second?.isLeading();
    const [leader, next] = heard[0] === 'one leads' ? ([one, two] as const) : ([two, one] as const);
    const [led, leading] = leader === one ? ['one', 'two'] : ['two', 'one'];
    const database = await connectPostgres({ url: await findSharedPostgres() });
    await database.query(`UPDATE ${schema}.terms SET ends_at = now() - interval '1 second'`, []);
    await database.close();
    next.renew();
    await expect.poll(() => heard).toEqual([`${led} leads`, `${leading} leads`]);
    leader.renew();
    await expect.poll(() => heard.at(-1)).toBe(`${led} follows`);
    await first?.resign();
    await second?.resign();
  });
});
