import { describe, expect, it } from 'vitest';
import { TestThread } from '../test/thread-setup.ts';

async function begun(options: Parameters<TestThread['manager']>[0] = {}) {
  const thread = new TestThread();
  thread.say('1');
  const manager = thread.manager(options);
  await manager.initialize();
  thread.pass();
  thread.looks.length = 0;
  return { thread, manager };
}

describe('when a poll is made', () => {
  it('looks at every n-th check, the first among them [CD-41, B3]', async () => {
    const { thread, manager } = await begun({ checkInterval: 3 });
    const statuses: string[] = [];
    for (let check = 0; check < 7; check += 1) {
      statuses.push((await manager.checkForChanges()).status);
      thread.pass();
    }
    expect(statuses.map((status) => status === 'checked')).toEqual([
      true,
      false,
      false,
      true,
      false,
      false,
      true,
    ]);
    expect(thread.looks).toHaveLength(3);
  });

  it('asks at most once a second, and a check that comes too early keeps its turn [CD-60, B3]', async () => {
    const { thread, manager } = await begun({ checkInterval: 2 });
    await manager.checkForChanges();
    await manager.checkForChanges();
    expect((await manager.checkForChanges()).status).toBe('skipped');
    thread.pass(999);
    expect((await manager.checkForChanges()).status).toBe('skipped');
    thread.pass(1);
    expect((await manager.checkForChanges()).status).toBe('checked');
  });

  it('asks only for what changed since the last poll [CD-59]', async () => {
    const { thread, manager } = await begun();
    thread.say('2');
    await manager.checkForChanges();
    thread.pass();
    await manager.checkForChanges();
    expect(thread.looks).toEqual(['2026-01-01T10:00:00.000Z', '2026-01-01T10:00:02.000Z']);
  });

  it('backs off 1, 2, 4 … 60 seconds without waiting, and begins anew after a success [CD-57] [CD-58]', async () => {
    const { thread, manager } = await begun();
    for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
      thread.answers.push(new Error('429'));
      expect((await manager.checkForChanges()).status).toBe('failed');
      thread.pass(seconds * 1000 - 1);
      expect((await manager.checkForChanges({ barrier: true })).status).toBe('skipped');
      thread.pass(1);
    }
    expect((await manager.checkForChanges()).status).toBe('checked');
    thread.pass();
    thread.answers.push(new Error('429'));
    await manager.checkForChanges();
    thread.pass(1000);
    expect((await manager.checkForChanges()).status).toBe('checked');
    expect(thread.waits).toEqual([]);
  });

  it('waits as long as the platform says, beyond a minute if need be [CD-57] [CD-58]', async () => {
    const { thread, manager } = await begun();
    thread.answers.push(Object.assign(new Error('limit'), { retryAfterMs: 300_000 }));
    await manager.checkForChanges();
    thread.pass(299_999);
    expect((await manager.checkForChanges()).status).toBe('skipped');
    thread.pass(1);
    expect((await manager.checkForChanges()).status).toBe('checked');
  });

  it('looks at the barrier whatever the interval, at once, and leaves a second between looks there [NX-3]', async () => {
    const { thread, manager } = await begun({ checkInterval: 100 });
    await manager.checkForChanges();
    thread.say('2');
    const { added, status, complete } = await manager.checkForChanges({ barrier: true });
    expect([status, complete, added[0]?.id]).toEqual(['checked', true, '2']);
    expect(thread.waits).toEqual([]);
    thread.pass(400);
    expect((await manager.checkForChanges({ barrier: true })).status).toBe('checked');
    expect(thread.waits).toEqual([600]);
    expect((await manager.checkForChanges()).status).toBe('skipped');
  });

  it('asks at the barrier for a request that begins now, and between two steps for any [NX-3, B21]', async () => {
    const { thread, manager } = await begun();
    thread.fresh.length = 0;
    await manager.checkForChanges();
    await manager.checkForChanges({ barrier: true });
    expect(thread.fresh).toEqual([false, true]);
  });

  it('takes a source that hangs for one that failed [CD-46]', async () => {
    const thread = new TestThread();
    const manager = thread.manager({
      timeoutSignal: () => AbortSignal.abort(new Error('took too long')),
    });
    expect(await manager.checkForChanges()).toMatchObject({
      status: 'failed',
      error: { message: 'took too long' },
    });
    expect(thread.logged.at(-1)).toBe('WARNING - failed to fetch comments');
  });

  it('ends a poll that nobody waits for any more, and holds it against nobody', async () => {
    const { thread, manager } = await begun();
    const hanging = new AbortController();
    const check = manager.checkForChanges({ signal: hanging.signal });
    hanging.abort();
    expect((await check).status).toBe('failed');
    expect(manager.getStatistics().errors).toBe(0);
    thread.pass();
    expect((await manager.checkForChanges()).status).toBe('checked');
  });

  it('makes one poll at a time', async () => {
    const { thread, manager } = await begun();
    thread.say('2');
    const results = await Promise.all([manager.checkForChanges(), manager.checkForChanges()]);
    expect(results.map(({ added }) => added.length)).toEqual([1, 0]);
  });
});

describe('what counts as history', () => {
  it('catches up after a start that failed, without reporting history as news [CD-18] [CD-46] [B8]', async () => {
    const thread = new TestThread();
    thread.say('1');
    thread.pass();
    const manager = thread.manager();
    thread.answers.push(new Error('down'));
    expect(await manager.initialize()).toMatchObject({ status: 'failed', error: { message: 'down' } });
    expect(manager.initialized).toBe(false);
    thread.pass();
    thread.edit('1', 'changed meanwhile');
    thread.say('2');
    const { added, edited } = await manager.checkForChanges();
    expect([added[0]?.id, edited[0]?.body, edited[0]?.previousBody]).toEqual([
      '2',
      'changed meanwhile',
      null,
    ]);
    expect([added.length, edited.length, manager.initialized]).toEqual([1, 1, true]);
  });

  it('does not begin anew when it is initialised again after a failure [CD-18]', async () => {
    const thread = new TestThread();
    const manager = thread.manager();
    thread.answers.push(new Error('down'));
    await manager.initialize();
    thread.pass();
    thread.say('1');
    expect(await manager.initialize()).toEqual({ status: 'checked' });
    expect(manager.listUndelivered()).toMatchObject([{ kind: 'added', comment: { id: '1' } }]);
  });

  it('does not take "unchanged" for an empty thread before it has seen one', async () => {
    const thread = new TestThread();
    const manager = thread.manager();
    thread.answers.push({ comments: [], complete: false, unchanged: true });
    expect((await manager.initialize()).status).toBe('failed');
    expect(manager.initialized).toBe(false);
  });

  it('calls a poll complete only when it was at the whole thread', async () => {
    const { thread, manager } = await begun();
    thread.answers.push({ comments: [], complete: false, unchanged: true });
    expect((await manager.checkForChanges()).complete).toBe(false);
    thread.answers.push({ comments: [], complete: false, unchanged: true });
    expect((await manager.checkForChanges({ barrier: true })).complete).toBe(true);
  });

  it("goes by the start that it is given, however far the server's clock is from ours [CD-18]", async () => {
    const thread = new TestThread();
    const ahead = (iso: string) => new Date(Date.parse(iso) - 3_600_000).toISOString();
    const manager = thread.manager({ startedAt: ahead(thread.time()) });
    thread.pass();
    thread.say('1', { createdAt: ahead(thread.time()), updatedAt: null });
    expect((await manager.checkForChanges()).added).toMatchObject([{ id: '1' }]);
  });

  it('takes an unknown comment from before half a snapshot for an edit with an unknown past [NX-1]', async () => {
    const thread = new TestThread();
    thread.say('1');
    thread.pass();
    const newest = thread.say('2');
    const manager = thread.manager();
    await manager.initialize({ comments: [newest], complete: false, cursor: null, unchanged: false });
    thread.pass();
    thread.edit('1', 'changed');
    const { added, edited } = await manager.checkForChanges();
    expect([added.length, edited[0]?.id, edited[0]?.previousBody]).toEqual([0, '1', null]);
  });
});
