import { describe, expect, it } from 'vitest';
import { createWorld, thread } from '../../test/memory-setup.ts';
import { createTransientStorage } from './memory-storage.ts';

const decision = (text: string) => ({ text, source: { comment: '1025' }, trusted: true });
const openWorld = () => createWorld({ storage: createTransientStorage() });

describe('a memory that several processes use', () => {
  it('files a run of a crashed process as failed, with the results it saved', async () => {
    const world = openWorld();
    const crashing = world.start({ pid: 1 });
    const run = await crashing.begin(thread);
    await run.save({ summary: 'Half done.', decisions: [decision('Use cents')] });
    crashing.kill();
    const next = world.start({ pid: 2 });
    const { inherited } = await next.begin(thread);
    expect(inherited.instructions).toContain('Half done.');
    expect(inherited.decisions.map(({ text }) => text)).toEqual(['Use cents']);
    expect(await next.history(thread)).toMatchObject([
      { status: 'running' },
      { id: run.id, status: 'failed', reason: 'The process ended before the run finished.' },
    ]);
  });

  it('leaves runs of live processes alone, on this host and on others', async () => {
    const world = openWorld();
    const here = world.start({ pid: 1 });
    const there = world.start({ pid: 1, host: 'host-2' });
    await here.begin(thread);
    await there.begin(thread);
    world.time.now += 4 * 60_000;
    await world.start({ pid: 3 }).begin(thread);
    expect((await here.history(thread)).map(({ status }) => status)).toEqual([
      'running',
      'running',
      'running',
    ]);
  });

  it('files a run of another host once its heartbeats stop', async () => {
    const world = openWorld();
    const there = world.start({ pid: 1, host: 'host-2' });
    const here = world.start({ pid: 2 });
    const run = await there.begin(thread);
    for (let minute = 0; minute < 20; minute += 2) {
      world.time.now += 2 * 60_000;
      there.beat();
      await run.save({});
    }
    await here.begin(thread);
    expect((await here.history(thread)).map(({ status }) => status)).toEqual(['running', 'running']);
    there.kill();
    world.time.now += 6 * 60_000;
    here.beat();
    await here.begin(thread);
    expect((await here.history(thread)).map(({ status }) => status)).toEqual([
      'running',
      'running',
      'failed',
    ]);
  });

  it('recognizes a crashed process whose pid was given to a new one', async () => {
    const world = openWorld();
    const run = await world.start({ pid: 1 }).begin(thread);
    world.time.now += 2_000;
    const restarted = world.start({ pid: 1 });
    await restarted.begin(thread);
    expect((await restarted.history(thread)).at(-1)).toMatchObject({ id: run.id, status: 'failed' });
  });

  it('keeps the results of a run that was taken for crashed and finishes after all', async () => {
    const world = openWorld();
    const frozen = world.start({ pid: 1, host: 'host-2' });
    const run = await frozen.begin(thread);
    world.time.now += 60 * 60_000;
    const other = world.start({ pid: 2 });
    await (await other.begin(thread)).finish({ summary: 'Other.' });
    frozen.beat();
    await run.finish({ summary: 'Done after all.', decisions: [decision('Use cents')] });
    expect((await other.history(thread)).map(({ status, summary }) => [status, summary])).toEqual([
      ['completed', 'Done after all.'],
      ['completed', 'Other.'],
    ]);
    expect((await other.begin(thread)).inherited.decisions).toHaveLength(1);
  });

  it('keeps results that a run saved after it was taken for crashed', async () => {
    const world = openWorld();
    const frozen = world.start({ pid: 1, host: 'host-2' });
    const run = await frozen.begin(thread);
    world.time.now += 60 * 60_000;
    const other = world.start({ pid: 2 });
    await other.begin(thread);
    await run.save({ decisions: [decision('Use cents')] });
    frozen.kill();
    world.time.now += 60 * 60_000;
    expect((await other.begin(thread)).inherited.decisions).toHaveLength(1);
  });

  it('loses nothing of runs that begin and finish at the same time', async () => {
    const world = openWorld();
    const processes = Array.from({ length: 20 }, (_, index) => world.start({ pid: index + 1 }));
    const runs = await Promise.all(processes.map(({ begin }) => begin(thread)));
    await Promise.all(runs.map((run, index) => run.finish({ decisions: [decision(`Decision ${index}`)] })));
    const { inherited } = await world.start({ pid: 100 }).begin(thread);
    expect(inherited.decisions).toHaveLength(20);
  });

  it('orders runs by what they knew of each other when a clock runs backwards', async () => {
    const world = openWorld();
    const { begin } = world.start({ pid: 1 });
    const { decisions } = await (await begin(thread)).finish({ decisions: [decision('Use Flask')] });
    world.time.now -= 60 * 60_000;
    await (await begin(thread)).finish({
      decisions: [{ ...decision('Use Node'), replaces: decisions[0]?.id }],
    });
    const { inherited } = await begin(thread);
    expect(inherited.decisions.map(({ text, state }) => [text, state.kind])).toEqual([
      ['Use Node', 'open'],
      ['Use Flask', 'replaced'],
    ]);
  });

  it('keeps a run open whose end could not be stored', async () => {
    const storage = createTransientStorage();
    let isFull = false;
    const write: typeof storage.write = async (...document) => {
      if (isFull) throw new Error('ENOSPC');
      await storage.write(...document);
    };
    const { begin, history } = createWorld({ storage: { ...storage, write } }).start({ pid: 1 });
    const run = await begin(thread);
    isFull = true;
    await expect(run.finish({ summary: 'Done.' })).rejects.toThrow('ENOSPC');
    isFull = false;
    await run.finish({ summary: 'Done.' });
    expect(await history(thread)).toMatchObject([{ status: 'completed', summary: 'Done.' }]);
  });
});
