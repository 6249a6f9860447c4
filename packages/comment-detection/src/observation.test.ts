import { describe, expect, it } from 'vitest';
import { createTestSink, TestThread } from '../test/thread-setup.ts';
import { createDeliveries } from './comment-inbox.ts';
import type { CommentDetectionManager, CommentDetectionOptions, HeardEvent } from './index.ts';

/** A run that keeps all that it hears as lines, and goes on by them alone. */
async function journaled(options: CommentDetectionOptions = {}) {
  const thread = new TestThread();
  const startedAt = thread.time();
  thread.say('1', { body: 'one' });
  const lines: HeardEvent[] = [];
  const failures: Error[] = [];
  const open = (): CommentDetectionManager =>
    thread.manager({
      startedAt,
      onObserved: async (poll) => {
        const failure = failures.shift();
        if (failure !== undefined) throw failure;
        lines.push(JSON.parse(JSON.stringify(poll)));
      },
      ...options,
    });
  const manager = open();
  await manager.initialize();
  lines.push(JSON.parse(JSON.stringify(manager.toOpeningObservations())));
  thread.pass();
  const tell = async (who: CommentDetectionManager, barrier = false): Promise<string | null> => {
    thread.pass();
    const inbox = createDeliveries(who);
    const { delivery } = await inbox.takeDelivery({ barrier });
    if (delivery === null) return null;
    lines.push(delivery.receipt);
    inbox.markDelivered(delivery.receipt);
    return delivery.text;
  };
  const restart = () => {
    const next = open();
    next.restore(null, lines);
    return next;
  };
  return { thread, manager, lines, failures, tell, restart };
}

describe('what was heard is one record', () => {
  it('keeps a comment before it has any effect, and not twice [NX-87]', async () => {
    const { thread, manager, lines, failures, tell } = await journaled();
    thread.say('2', { body: 'two' });
    failures.push(new Error('disk full'));
    expect(await manager.checkForChanges()).toMatchObject({ status: 'failed', added: [] });
    expect(await tell(manager)).toContain('two');
    expect(await tell(manager)).toBeNull();
    expect(lines.slice(1)).toMatchObject([
      { observations: [{ id: '2', kind: 'added', body: 'two', authority: 'trusted' }] },
      { delivers: [{ id: '2' }] },
    ]);
  });

  it.each(['one', 'two'])(
    'knows the words of the deleted comment "%s" by the journal alone, two revisions of one second included [NX-87]',
    async (body) => {
      const { thread, manager, tell, restart } = await journaled();
      const time = thread.time();
      thread.say('2', { body: 'twö', updatedAt: time });
      await tell(manager);
      thread.comments = thread.comments.map((one) => (one.id === '2' ? { ...one, body: 'two' } : one));
      expect(await tell(manager)).toContain('two');
      thread.comments = thread.comments.filter((one) => one.body !== body);
      expect(await tell(restart(), true)).toBe(`[Comment Deleted by @alice]:\n${body}`);
    },
  );

  it('counts the same after a restart as before it [NX-87]', async () => {
    const { thread, manager, tell, restart } = await journaled();
    thread.say('2');
    thread.say('3');
    await tell(manager);
    expect(restart().getStatistics()).toEqual(manager.getStatistics());
  });

  it('writes down that something was taken back before it was told [NX-87]', async () => {
    const { thread, manager, lines } = await journaled();
    thread.say('2', { body: 'two' });
    await manager.checkForChanges();
    thread.remove('2');
    thread.pass();
    await manager.checkForChanges({ barrier: true });
    expect(manager.listUndelivered()).toEqual([]);
    expect(lines.at(-1)).toMatchObject({ observations: [{ id: '2', kind: 'deleted', body: 'two' }] });
  });
});

describe('an authority that could not be asked', () => {
  const setUp = async (answer: 'trusted' | 'untrusted') => {
    const asked = { isDown: true };
    const run = await journaled({
      authorityOf: async () => {
        if (asked.isDown) throw new Error('503');
        return answer;
      },
    });
    run.thread.say('2', { body: 'Do not touch the tax table!' });
    return { ...run, asked };
  };

  it('is no stranger: the comment waits, and is told as what it is when that is known [NX-88]', async () => {
    const { manager, asked, tell, restart, lines } = await setUp('trusted');
    expect(await tell(manager)).toBeNull();
    expect(lines.at(-1)).toMatchObject({ observations: [{ id: '2', authority: 'unknown' }] });
    asked.isDown = false;
    expect(await tell(restart())).toBe('[New Comment from @alice]:\nDo not touch the tax table!');
  });

  it.each(['trusted', 'untrusted'] as const)(
    'is told as not known yet before the end, and corrected when it is known to be %s, also by the next process [NX-88]',
    async (answer) => {
      const { manager, asked, tell, restart } = await setUp(answer);
      expect(await tell(manager, true)).toContain('not known yet whether');
      expect(await tell(manager, true)).toBeNull();
      asked.isDown = false;
      const corrected = await tell(restart());
      expect(corrected).toContain('[Comment from @alice, delivered before]:');
      expect(corrected).toContain(
        answer === 'trusted' ? 'may give instructions' : 'cannot give instructions',
      );
      expect(corrected).toContain('tax table');
      expect(await tell(restart(), true)).toBeNull();
    },
  );

  it('is waited for three minutes, not for as long as a run lasts [NX-88]', async () => {
    const { thread, manager, tell } = await setUp('trusted');
    expect(await tell(manager)).toBeNull();
    thread.pass(180_000);
    expect(await tell(manager)).toContain('not known yet whether');
  });

  it('changes nothing of what was found before', async () => {
    const { thread, manager, asked, tell } = await setUp('trusted');
    asked.isDown = false;
    await manager.checkForChanges();
    asked.isDown = true;
    thread.pass();
    expect(await tell(manager)).toBe('[New Comment from @alice]:\nDo not touch the tax table!');
  });
});

describe('times that do not tell what is newer', () => {
  it.each([-3_000, 0])(
    'an edit is heard whose time is %d ms after the text before [NX-90]',
    async (shiftMs) => {
      const { thread, manager, tell } = await journaled();
      thread.say('2', { body: 'blue' });
      await tell(manager);
      const updatedAt = new Date(Date.parse(thread.comments[1]?.updatedAt ?? '') + shiftMs).toISOString();
      thread.comments = thread.comments.map((one) =>
        one.id === '2' ? { ...one, body: 'green', updatedAt } : one,
      );
      expect(await tell(manager, true)).toContain('green');
      expect(await tell(manager, true)).toBeNull();
    },
  );

  it('an old copy of the thread is no edit [NX-90]', async () => {
    const { thread, manager, tell } = await journaled();
    thread.say('2', { body: 'blue' });
    await tell(manager);
    const before = [...thread.comments];
    thread.edit('2', 'green');
    await tell(manager);
    thread.answers.push({ comments: before, complete: true });
    expect(await tell(manager, true)).toBeNull();
  });
});

describe('a deletion, where the platform can be asked for one comment', () => {
  const setUp = async () => {
    const run = await journaled();
    const { CommentDetectionManager: Manager } = await import('./comment-detection-manager.ts');
    const manager = new Manager(run.thread.provingSource, run.thread.options());
    await manager.initialize();
    return { ...run, manager };
  };

  it('is told on the proof alone, however often the lists leave the comment out [NX-90]', async () => {
    const { thread, manager, tell } = await setUp();
    const hole = { comments: [], complete: true };
    for (let times = 0; times < 3; times += 1) {
      thread.answers.push(hole);
      expect(await tell(manager, true)).toBeNull();
    }
    thread.remove('1');
    expect(await tell(manager, true)).toContain('Deleted');
  });

  it('waits where the proof cannot be had [NX-90]', async () => {
    const { thread, manager, tell } = await setUp();
    thread.remove('1');
    thread.failure = new Error('503');
    thread.pass();
    expect((await manager.checkForChanges({ barrier: true })).status).toBe('failed');
    thread.failure = null;
    thread.pass(120_000);
    expect(await tell(manager, true)).toContain('Deleted');
  });

  it('is not for ever: a comment that returns is heard again, and so are its edits [NX-90]', async () => {
    const { thread, manager, tell } = await setUp();
    const [flagged] = thread.comments;
    thread.remove('1');
    await tell(manager, true);
    if (flagged !== undefined) thread.comments = [flagged];
    expect(await tell(manager, true)).toBe('[New Comment from @alice]:\none');
    thread.edit('1', 'uno');
    expect(await tell(manager, true)).toContain('uno');
  });
});

describe('more than one message holds', () => {
  it('is delivered in parts, each whole [NX-92]', async () => {
    const { thread, manager, tell } = await journaled({ maxMessageChars: 10_000, maxBodyChars: 5_000 });
    for (const id of ['2', '3', '4', '5', '6']) thread.say(id, { body: id.repeat(4_000) });
    const told: string[] = [];
    for (let text = await tell(manager); text !== null; text = await tell(manager)) told.push(text);
    expect(told.map(({ length }) => length > 10_000)).toEqual(told.map(() => false));
    for (const id of ['2', '3', '4', '5', '6']) expect(told.join()).toContain(id.repeat(4_000));
    expect(told).toHaveLength(3);
  });

  it('goes into a context of somebody else in parts, too [NX-92]', async () => {
    const { thread, manager } = await journaled({ maxMessageChars: 10_000, maxBodyChars: 5_000 });
    for (const id of ['2', '3', '4']) thread.say(id, { body: id.repeat(4_000) });
    const sink = createTestSink();
    await manager.addToContext(sink, await manager.checkForChanges());
    expect(sink.messages).toHaveLength(2);
    expect(manager.listUndelivered()).toEqual([]);
  });
});
