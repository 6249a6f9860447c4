import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { TestThread } from '../../test/thread-setup.ts';
import {
  type CommentMailboxOptions,
  createCommentMailbox,
  createFileJournal,
  createMemoryJournal,
} from './index.ts';

function openOn(thread: TestThread, options: Partial<CommentMailboxOptions> = {}) {
  return createCommentMailbox(thread.provingSource, {
    journal: createMemoryJournal(),
    botUsername: 'agent',
    authorityOf: () => 'trusted',
    cleanText: (text) => text,
    now: () => new Date(thread.clock),
    monotonicNow: () => thread.clock,
    sleep: async (milliseconds) => thread.pass(milliseconds),
    timeoutSignal: () => new AbortController().signal,
    logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    ...options,
  });
}

describe('CommentMailbox', () => {
  it('lists what was said since it was opened, with the same id until that is acknowledged [NX-265]', async () => {
    const thread = new TestThread();
    thread.say('1');
    const mailbox = openOn(thread);
    expect(await mailbox.open()).toBe(true);
    thread.pass();
    thread.say('2', { body: 'In euros!' });
    const first = await mailbox.take();
    expect(first).toMatchObject({ status: 'checked', hasMore: false });
    expect(first.items.map(({ text }) => text)).toEqual(['[New Comment from @alice]:\nIn euros!']);
    const again = await mailbox.take();
    expect(again.items).toEqual(first.items);
    const ids = first.items.map(({ id }) => id);
    const done = { acknowledged: ids, unknown: [] };
    expect(await mailbox.acknowledge(ids)).toEqual(done);
    expect(await mailbox.acknowledge(ids)).toEqual(done);
    expect((await mailbox.take()).items).toEqual([]);
    expect(await mailbox.acknowledge(['9-deadbeef'])).toEqual({ acknowledged: [], unknown: ['9-deadbeef'] });
  });

  it('tells an edit that came between listing and acknowledging, and takes none back for a late one [NX-265]', async () => {
    const thread = new TestThread();
    const mailbox = openOn(thread);
    await mailbox.open();
    thread.pass();
    thread.say('1');
    const [added] = (await mailbox.take()).items;
    thread.pass();
    thread.edit('1', 'In yen!');
    thread.pass();
    const [changed] = (await mailbox.take()).items;
    expect(changed?.id).not.toBe(added?.id);
    await mailbox.acknowledge([changed?.id ?? '']);
    await mailbox.acknowledge([added?.id ?? '']);
    thread.pass();
    expect((await mailbox.take()).items).toEqual([]);
    thread.edit('1', 'In francs!');
    thread.pass();
    const [edited] = (await mailbox.take()).items;
    expect(edited?.change).toMatchObject({ kind: 'edited', previousBody: 'In yen!' });
  });

  it('does not say that there is nothing new where it could not ask [NX-265]', async () => {
    const thread = new TestThread();
    const mailbox = openOn(thread);
    thread.answers.push(new Error('down'));
    expect(await mailbox.take()).toMatchObject({ status: 'failed', items: [], error: new Error('down') });
    thread.pass();
    thread.say('1');
    thread.pass(120_000);
    expect((await mailbox.take()).items).toMatchObject([{ change: { comment: { id: '1' } } }]);
    thread.pass();
    thread.answers.push(Object.assign(new Error('down again'), { retryAfterMs: 60_000 }));
    expect(await mailbox.take()).toMatchObject({ status: 'failed', items: [{ change: { kind: 'added' } }] });
    expect(await mailbox.take()).toMatchObject({ status: 'skipped' });
  });

  it('reads what really stands in a journal after a write that failed [NX-265]', async () => {
    const thread = new TestThread();
    const kept = createMemoryJournal();
    let isFailing = false;
    const journal = {
      readAfter: kept.readAfter,
      append: async (line: object) => {
        await kept.append(line);
        if (isFailing) throw new Error('the disk was too slow');
      },
    };
    const mailbox = openOn(thread, { journal });
    await mailbox.open();
    thread.pass();
    thread.say('1');
    const ids = (await mailbox.take()).items.map(({ id }) => id);
    isFailing = true;
    await expect(mailbox.acknowledge(ids)).rejects.toThrow('too slow');
    isFailing = false;
    thread.pass();
    expect(await mailbox.take()).toMatchObject({ status: 'checked', items: [] });
  });

  it('lists no more than fits, and the rest after that [NX-267]', async () => {
    const thread = new TestThread();
    const mailbox = openOn(thread);
    await mailbox.open();
    thread.pass();
    const long = 'word '.repeat(100_000);
    thread.say('1', { body: long });
    for (let id = 2; id <= 40; id += 1)
      thread.say(String(id), { body: 'a few words of a comment '.repeat(9) });
    const count = (text: string) => Math.ceil(text.length / 4);
    const told: string[] = [];
    for (let round = 0; round < 50; round += 1) {
      thread.pass();
      const { items, hasMore } = await mailbox.take({ maxTokens: 500 });
      expect(items.reduce((sum, { text }) => sum + count(text), 0)).toBeLessThanOrEqual(500);
      told.push(...items.map(({ change }) => change.comment.id));
      await mailbox.acknowledge(items.map(({ id }) => id));
      if (!hasMore) break;
    }
    expect(told).toEqual(Array.from({ length: 40 }, (_, index) => String(index + 1)));
  });
});

describe('createFileJournal', () => {
  const directories: string[] = [];
  afterEach(async () => {
    for (const path of directories.splice(0)) await rm(path, { recursive: true });
  });
  const newPath = async () => {
    const directory = await mkdtemp(join(tmpdir(), 'mailbox-'));
    directories.push(directory);
    return join(directory, 'deep', 'thread.jsonl');
  };

  it('is shared by processes, and passes over the half of a line that a crash left [NX-265]', async () => {
    const path = await newPath();
    const [one, other] = [createFileJournal(path), createFileJournal(path)];
    expect(await one.readAfter(0)).toEqual({ lines: [], position: 0 });
    await one.append({ one: 1 });
    const { lines, position } = await other.readAfter(0);
    expect(lines).toEqual([{ one: 1 }]);
    await writeFile(path, `${await readFile(path, 'utf8')}{"half":`);
    expect((await other.readAfter(position)).lines).toEqual([]);
    await other.append({ two: '二' });
    expect((await one.readAfter(position)).lines).toEqual([{ two: '二' }]);
    expect((await one.readAfter(0)).lines).toEqual([{ one: 1 }, { two: '二' }]);
  });

  it('carries a mailbox over a restart, and rejects where it cannot be read [NX-265]', async () => {
    const thread = new TestThread();
    const path = await newPath();
    const first = openOn(thread, { journal: createFileJournal(path) });
    thread.say('0');
    await first.open();
    thread.pass();
    thread.say('1');
    thread.say('2');
    const { items } = await first.take();
    await first.acknowledge([items[0]?.id ?? '']);
    const second = openOn(thread, { journal: createFileJournal(path) });
    thread.pass();
    expect((await second.take()).items).toMatchObject([
      { id: items[1]?.id, change: { comment: { id: '2' } } },
    ]);
    const unreadable = openOn(thread, { journal: createFileJournal(join(path, '..')) });
    await expect(unreadable.take()).rejects.toThrow('EISDIR');
  });
});
