import { describe, expect, it } from 'vitest';
import { TestThread } from '../test/thread-setup.ts';
import type { DeliveryReceipt } from './changes.ts';
import { createDeliveries } from './comment-inbox.ts';

async function interrupted() {
  const thread = new TestThread();
  const startedAt = thread.time();
  thread.say('1', { body: 'one' });
  const manager = thread.manager();
  await manager.initialize();
  thread.pass();
  thread.say('2', { body: 'two' });
  const { delivery } = await createDeliveries(manager).takeDelivery({ barrier: false });
  const receipts: DeliveryReceipt[] = delivery ? [delivery.receipt] : [];
  manager.markDelivered(receipts[0] as DeliveryReceipt);
  thread.pass();
  const resume = (state: unknown, delivered = receipts) => {
    const next = thread.manager({ startedAt });
    next.restore(state, delivered);
    return next;
  };
  return { thread, manager, receipts, resume };
}

describe('going on after a restart', () => {
  it('writes its state in the words of the specification, which its properties show under their other names [CD-16, B5]', async () => {
    const { manager } = await interrupted();
    const { lastCommentIds, lastCheckTime, detectedCount } = manager;
    expect([[...lastCommentIds], lastCheckTime?.toISOString(), detectedCount]).toEqual([
      ['1', '2'],
      '2026-01-01T10:00:02.000Z',
      1,
    ]);
    expect(JSON.parse(JSON.stringify(manager.toState({ appliedSeq: 7 })))).toMatchObject({
      last_comment_ids: ['1', '2'],
      last_check_timestamp: '2026-01-01T10:00:02.000Z',
      detected_comment_count: 1,
      applied_seq: 7,
    });
  });

  it('writes its state and its statistics in snake_case throughout [X10]', async () => {
    const { manager } = await interrupted();
    const names: string[] = [];
    JSON.stringify([manager.toState(), manager.getStatistics()], (name, value) => {
      names.push(name);
      return value;
    });
    expect(names).toContain('detection_events');
    expect(names.filter((name) => /[A-Z]/.test(name))).toEqual([]);
  });

  it('hears what was said, edited and deleted while nothing ran [NX-1] [NX-2]', async () => {
    const { thread, manager, resume } = await interrupted();
    const state = JSON.parse(JSON.stringify(manager.toState()));
    thread.edit('1', 'uno');
    thread.remove('2');
    thread.say('3');
    const { added, edited, deleted } = await resume(state).checkForChanges();
    expect([added[0]?.id, edited[0]?.previousBody, deleted[0]?.body]).toEqual(['3', 'one', 'two']);
  });

  it('refuses a state of another version, instead of taking it for a lost one [NX-420]', async () => {
    const { manager, resume } = await interrupted();
    const sentence = 'The state of comment detection has version 2, and this program reads version 1 only';
    expect(() => resume({ ...manager.toState(), version: 2 })).toThrow(sentence);
  });

  it('knows again, once a listing has shown it, what stood in a comment before it was edited [NX-1]', async () => {
    const { thread, resume } = await interrupted();
    const next = resume(null);
    await next.checkForChanges();
    thread.pass();
    thread.edit('2', 'zwei');
    const { edited } = await next.checkForChanges();
    expect(edited[0]?.previousBody).toBe('two');
  });

  it('keeps what stood in a comment whose edit nobody was told of yet [NX-1]', async () => {
    const { thread, manager, resume } = await interrupted();
    thread.pass();
    thread.edit('2', 'zwei');
    await manager.checkForChanges();
    const state = JSON.parse(JSON.stringify(manager.toState()));
    expect(resume(state).listUndelivered()).toMatchObject([{ kind: 'edited', previousBody: 'two' }]);
  });

  it('keeps the body of a comment once, and tells of its deletion once [NX-2]', async () => {
    const { thread, manager, resume } = await interrupted();
    const text = JSON.stringify(manager.toState());
    expect([text.split('"one"').length, text.split('"two"').length]).toEqual([2, 2]);
    thread.pass();
    thread.remove('2');
    const { delivery } = await createDeliveries(manager).takeDelivery({ barrier: true });
    manager.markDelivered(delivery?.receipt as DeliveryReceipt);
    expect(resume(JSON.parse(JSON.stringify(manager.toState())), []).listUndelivered()).toEqual([]);
  });

  it('takes a comment of before the task for known, also where its platform tells no time of an edit [NX-1]', async () => {
    const thread = new TestThread();
    thread.say('1', { updatedAt: null });
    const manager = thread.manager({ startedAt: thread.time() });
    manager.restore(null, []);
    expect(await manager.checkForChanges()).toMatchObject({ status: 'checked', added: [], edited: [] });
  });

  it('does not take it for a new start when it is initialised again [CD-25]', async () => {
    const { thread, manager, resume } = await interrupted();
    thread.say('3');
    const next = resume(manager.toState());
    await next.initialize();
    expect(next.listUndelivered().map(({ comment }) => comment.id)).toEqual(['3']);
  });

  it('takes the journal for the truth where the state is older [NX-2, X4]', async () => {
    const { thread, manager, resume } = await interrupted();
    const older = thread.manager();
    await older.initialize({
      comments: thread.comments.slice(0, 1),
      complete: true,
      cursor: null,
      unchanged: false,
    });
    expect((await resume(older.toState()).checkForChanges()).added).toEqual([]);
    expect(manager.listUndelivered()).toEqual([]);
  });

  it('rebuilds a lost or damaged state from the thread and the journal [NX-2, X4]', async () => {
    const { thread, resume } = await interrupted();
    thread.say('3');
    for (const state of [null, 'torn', { version: 1 }]) {
      const next = resume(state);
      expect((await next.checkForChanges()).added.map(({ id }) => id)).toEqual(['3']);
      thread.pass();
    }
    expect(thread.logged.filter((line) => line.includes('damaged'))).toHaveLength(2);
  });

  it('hears again what was taken and never committed [NX-2]', async () => {
    const { manager, resume } = await interrupted();
    const { ledger, ...fields } = manager.toState();
    const unmarked = {
      ...fields,
      ledger: ledger.map((entry) => (entry.id === '2' ? { ...entry, known: null } : entry)),
    };
    expect((await resume(unmarked, []).checkForChanges()).added.map(({ id }) => id)).toEqual(['2']);
  });

  it('knows from the opening receipt what the first prompt told, to the letter [NX-2]', async () => {
    const { thread, receipts, resume } = await interrupted();
    const first = thread.manager();
    await first.initialize({
      comments: thread.comments.slice(0, 1),
      complete: true,
      cursor: null,
      unchanged: false,
    });
    thread.remove('1');
    const { deleted } = await resume(null, [first.toOpeningReceipt(), ...receipts]).checkForChanges();
    expect(deleted.map(({ id }) => id)).toEqual(['1']);
  });
});
