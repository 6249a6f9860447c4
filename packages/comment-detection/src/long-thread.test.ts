import { describe, expect, it } from 'vitest';
import { createTestSink, TestThread } from '../test/thread-setup.ts';

async function begunWith(count: number) {
  const thread = new TestThread();
  for (let id = 1; id <= count; id += 1) thread.say(String(id));
  const manager = thread.manager();
  await manager.initialize();
  thread.pass();
  return { thread, manager };
}

describe('a long thread', () => {
  it.each([30, 100, 1000, 10_000])(
    'hears 150 comments of one second after %d others [CD-14] [CD-26]',
    async (count) => {
      const { thread, manager } = await begunWith(count);
      const ids = Array.from({ length: 150 }, (_, index) => String(count + 1 + index));
      for (const id of ids) thread.say(id);
      expect((await manager.checkForNewComments()).map(({ id }) => id)).toEqual(ids);
    },
  );

  it('touches nothing of what it knows when nothing is new [CD-59]', async () => {
    const { thread, manager } = await begunWith(10_000);
    const known = manager.toState().ledger;
    thread.answers.push({ comments: [], unchanged: true });
    expect(await manager.checkForChanges()).toMatchObject({
      status: 'checked',
      added: [],
      edited: [],
      deleted: [],
    });
    expect(manager.toState().ledger).toEqual(known);
  });

  it('keeps its state small, and still knows every comment again', async () => {
    const thread = new TestThread();
    for (let id = 1; id <= 1000; id += 1) thread.say(String(id), { body: 'x'.repeat(3000) });
    const manager = thread.manager();
    await manager.initialize();
    const state = JSON.stringify(manager.toState());
    expect(state.length).toBeLessThan(600_000);
    const next = thread.manager();
    next.restore(JSON.parse(state), []);
    thread.pass();
    thread.say('1001');
    expect((await next.checkForNewComments()).map(({ id }) => id)).toEqual(['1001']);
  });

  it('has a long comment that was seen and not delivered after a restart, too [NX-2] [X14]', async () => {
    const { thread, manager } = await begunWith(1001);
    thread.say('1002', { body: 'x'.repeat(300_000) });
    await manager.checkForNewComments();
    thread.pass(120_000);
    thread.say('1003');
    await manager.checkForNewComments();
    const next = thread.manager({ startedAt: '2026-01-01T10:00:00Z' });
    next.restore(JSON.parse(JSON.stringify(manager.toState())), []);
    thread.pass();
    await next.checkForNewComments();
    expect(next.listUndelivered().map(({ comment }) => comment.id)).toEqual(['1002', '1003']);
    expect((await next.composeDelivery())?.text).toContain('x'.repeat(1000));
  });

  it('delivers a burst in the order of the thread, in one message [CD-21] [CD-27] [B16]', async () => {
    const { thread, manager } = await begunWith(8);
    for (const id of ['11', '9', '10']) thread.say(id);
    const sink = createTestSink();
    await manager.addToContext(sink, await manager.checkForNewComments());
    expect(sink.messages[0]?.content.match(/text \d+/g)).toEqual(['text 9', 'text 10', 'text 11']);
    expect(sink.messages).toHaveLength(1);
  });
});
