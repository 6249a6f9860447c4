import { randomUUID } from 'node:crypto';
import type { RunStorage } from '@agent/run-store';
import { connectPostgres, createPostgresStorage } from '@agent/run-store/postgres';
import { findSharedPostgres } from '@agent/simulators/postgres';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepReport, readProcessReports } from '../src/board/process-reports.ts';
import { readServiceState } from '../src/board/read-service-state.ts';
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

async function startProcess(
  options: {
    readonly role?: 'look' | 'work';
    readonly now?: number;
    readonly host?: string | undefined;
  } = {},
) {
  const { role = 'work', now = 5, host = 'build-1' } = options;
  const storage = await openStorage();
  const owner = await storage.members.acquire();
  const board = new TaskBoard({ now: () => now });
  const about = { number: owner.number, host, role, version: '1.2.3', startedAt: 1, concurrency: 2 };
  const stop = await keepReport(board, {
    storage,
    describe: () => about,
    redact: (text) => text.replaceAll('hunter2', '***'),
    logger: pino({ level: 'silent' }),
  });
  return { storage, owner, board, stop };
}

describe('reports of processes that share a storage', () => {
  it('are read by each process, without secrets, as long as their process runs [NX-136]', async () => {
    const [one, two] = [await startProcess({ role: 'look' }), await startProcess()];
    one.board.observe({ type: 'lead', leads: true });
    one.board.observe({ type: 'look', platform: 'github', error: 'It is away.' });
    two.board.observe({ type: 'condition', part: 'model', state: 'failed', reason: 'no key hunter2' });
    const read = ({ storage }: typeof one) => readServiceState({ storage, now: 10 });
    await expect
      .poll(() => read(two))
      .toMatchObject({
        status: 'not-ready',
        problems: [
          { cause: 'model_refused', since: 5, reason: 'no key ***', processes: [two.owner.number] },
          { cause: 'platform_away', scope: 'github', since: 5, processes: [one.owner.number] },
        ],
        processes: [
          { number: one.owner.number, role: 'look', version: '1.2.3', leads: true },
          { number: two.owner.number, role: 'work', leads: false, running: 0, concurrency: 2 },
        ],
      });
    expect((await read(one)).problems).toEqual((await read(two)).problems);
    await two.stop();
    await two.owner.release();
    expect((await read(one)).problems.map(({ cause }) => cause)).toEqual(['no_worker', 'platform_away']);
    await one.stop();
    await one.owner.release();
    expect(await read(one)).toMatchObject({ status: 'stopped', problems: [], processes: [] });
  });

  it('keep the start of a problem over a restart of its process, and no longer than it lasts', async () => {
    const away = { type: 'condition', part: 'model', state: 'waiting', reason: 'refused' } as const;
    const restart = async (now: number, host?: string) => {
      const { board, stop, owner } = await startProcess({ now, host });
      board.observe(away);
      const since = board.state.conditions.get('model')?.since;
      return { since, board, end: () => stop().then(owner.release) };
    };
    const first = await restart(5);
    await first.end();
    const second = await restart(60_000);
    expect(second.since).toBe(5);
    await second.end();
    const crashed = await restart(61_000, 'pod-2');
    expect(crashed.since).toBe(5);
    const third = await restart(62_000);
    expect(third.since).toBe(5);
    third.board.observe({ type: 'condition', part: 'model', state: 'ok', reason: null });
    third.board.observe(away);
    expect(third.board.state.conditions.get('model')?.since).toBe(62_000);
    await third.end();
    await crashed.end();
  });

  it('of another form are left out, and stay for the processes that can read them', async () => {
    const { storage, board, stop, owner } = await startProcess();
    const newer = { number: owner.number + 1, role: 'archive', more: true };
    await storage.notes.write('processes', [newer, 'odd']);
    board.observe({ type: 'condition', part: 'model', state: 'failed', reason: 'HTTP 401' });
    await stop();
    expect(await readProcessReports(storage)).toMatchObject([{ number: owner.number, role: 'work' }]);
    expect(await storage.notes.read('processes')).toContainEqual(newer);
    await owner.release();
  });

  it('name the time of the last sign of a poller that crashed', async () => {
    const [poller, worker] = [await startProcess({ role: 'look' }), await startProcess()];
    poller.board.observe({ type: 'lead', leads: true });
    worker.board.observe({ type: 'condition', part: 'model', state: 'ok', reason: null });
    await Promise.all([poller.stop(), worker.stop()]);
    const database = await connectPostgres({ url: await findSharedPostgres() });
    const age = `UPDATE ${schema}.members SET renewed_at = now() - interval '90 seconds' WHERE number = $1`;
    await database.query(age, [poller.owner.number]);
    await database.close();
    const { problems, status } = await readServiceState({ storage: worker.storage, now: 100_000 });
    expect(status).toBe('not-ready');
    expect(problems).toMatchObject([{ cause: 'no_poller', state: 'failed' }]);
    expect(problems[0]?.since).toBeGreaterThan(0);
    expect(problems[0]?.since).toBeLessThanOrEqual(10_000);
    await worker.owner.release();
  });

  it('of platforms are those of the process that polls: a process that no longer polls has none [NX-136]', async () => {
    const { board, storage, owner, stop } = await startProcess({ role: 'look' });
    board.observe({ type: 'lead', leads: true });
    board.observe({ type: 'look', platform: 'github', error: 'It is away.' });
    board.observe({ type: 'condition', part: 'place:github/acme/shop', state: 'failed', reason: '404' });
    board.observe({ type: 'condition', part: 'model', state: 'ok', reason: null });
    const listParts = async () =>
      (await readProcessReports(storage)).flatMap(({ conditions }) => conditions.map(({ part }) => part));
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
