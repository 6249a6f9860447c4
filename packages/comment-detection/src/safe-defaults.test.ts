import { beforeEach, describe, expect, it, vi } from 'vitest';
import { TestThread } from '../test/thread-setup.ts';
import { CommentDetectionManager, type CommentDetectionOptions } from './index.ts';

let calls: unknown[][] = [];
beforeEach(() => {
  calls = [];
  vi.spyOn(console, 'warn').mockImplementation((...call) => void calls.push(call));
});
const warnings = () => calls.map(([text]) => String(text));

const safe: CommentDetectionOptions = {
  botUsername: 'agent',
  authorityOf: () => 'trusted',
};

describe('a manager without a logger', () => {
  it('says on the console which safeguards are missing, and nothing where none is [NX-52]', () => {
    const { source } = new TestThread();
    new CommentDetectionManager(source, safe);
    new CommentDetectionManager(source, { enabled: false });
    expect(warnings()).toEqual([]);
    new CommentDetectionManager(source);
    expect(warnings()).toEqual([
      expect.stringContaining('set botUsername'),
      expect.stringContaining('set authorityOf'),
    ]);
  });

  it('says once which rows of a source it cannot read as comments [NX-50]', async () => {
    const said = [{ id: '5', author: { username: 'bob' }, content: 'as a chat has it' }, null] as never;
    const source = {
      listComments: async () => ({ comments: said, complete: true, cursor: null, unchanged: false }),
    };
    let now = 0;
    const manager = new CommentDetectionManager(source, { ...safe, monotonicNow: () => (now += 60_000) });
    await manager.initialize();
    await manager.checkForChanges();
    expect(calls.map(([, about]) => about)).toEqual([
      { problem: 'no-body', commentId: '5' },
      { problem: 'no-id', commentId: null },
    ]);
    expect(manager.getStatistics().errors).toBe(2);
  });

  it('says why it is deaf where that does not pass, and keeps an outage to the log [NX-50]', async () => {
    const thread = new TestThread();
    const manager = new CommentDetectionManager(thread.source, { ...safe, monotonicNow: () => thread.clock });
    thread.answers.push(
      Object.assign(new Error('bad gateway'), { status: 502 }),
      new TypeError('x is not a function'),
    );
    expect((await manager.checkForChanges()).status).toBe('failed');
    expect(warnings()).toEqual([]);
    thread.pass();
    expect((await manager.checkForChanges()).status).toBe('failed');
    expect(calls).toEqual([
      ['@agent/comment-detection: failed to fetch comments', { err: 'x is not a function' }],
    ]);
  });
});

/** A `Date` is written with milliseconds. */
const written = (id: string, time: string): string => (id === '4' ? time.replace('Z', '.000Z') : time);

describe('what a source lists', () => {
  it("is read as the document, GitHub's interface or GitLab's spells it [NX-52]", async () => {
    const thread = new TestThread();
    const manager = thread.manager({ startedAt: '2026-01-01T00:00:00Z' });
    await manager.initialize();
    const times = { created_at: '2026-01-01T10:00:00Z', updated_at: '2026-01-01T10:00:01Z' };
    thread.comments.push(
      { id: '1', author: 'alice', body: 'seed', ...times } as never,
      { id: 2, user: { id: 7, login: 'helper', type: 'Bot' }, body: 'octokit', ...times } as never,
      { id: 3, author: { id: 8, username: 'carol' }, body: 'gitlab', ...times } as never,
      {
        id: 4,
        author: 'dave',
        body: 'a row of a database',
        created_at: new Date(times.created_at),
        updated_at: new Date(times.updated_at),
      } as never,
    );
    thread.answers.push({ comments: thread.comments, complete: true });
    thread.pass();
    const read = await manager.checkForNewComments();
    expect(
      read.map(({ id, author, createdAt, updatedAt }) => ({ id, author, createdAt, updatedAt })),
    ).toEqual(
      [
        { id: '1', author: { id: '', login: 'alice' } },
        { id: '2', author: { id: '7', login: 'helper', type: 'Bot', kind: 'bot' } },
        { id: '3', author: { id: '8', login: 'carol', username: 'carol' } },
        { id: '4', author: { id: '', login: 'dave' } },
      ].map((one) => ({
        ...one,
        createdAt: written(one.id, times.created_at),
        updatedAt: written(one.id, times.updated_at),
      })),
    );
  });
});
