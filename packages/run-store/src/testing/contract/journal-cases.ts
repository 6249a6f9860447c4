import assert from 'node:assert/strict';
import type { JournalEvent, MessageLike } from '../../journal-model.ts';
import { calls, end, gives, newRun, says, toArray } from '../store-setup.ts';
import {
  begin,
  comment,
  first,
  observed,
  type RunStoreCase,
  readWords,
  rejectsWithCode,
  restart,
  toStates,
} from './contract.ts';

/** Letters of every kind, and one that some databases cannot hold. */
const unusual = '絵文字 👩‍👩‍👧 и العربية עברית "\\" \n\r\t\0 \u2028 end';

const call = { toolCallId: 'c1', tool: 'read', args: { path: 'a.ts' } };
const result = { status: 'success', output: unusual, durationMs: 5 } as const;

/** Promises about what a run writes down as it happens. */
export const journalCases: readonly RunStoreCase[] = [
  {
    name: 'reads back what was appended, in order and once [NX-82]',
    run: async (fixture) => {
      const { journal } = (await begin(fixture)).run;
      const message: JournalEvent<MessageLike> = {
        ...says('user', unusual),
        usage: { inputTokens: 1, outputTokens: 2 },
        delivers: [{ id: '7', revision: 'a', kind: 'edited' }],
        opens: 2,
        spent: { modelCalls: 1, toolCalls: 2, inputTokens: 3, outputTokens: 4 },
        activeMs: 9,
      };
      await journal.append(message);
      await journal.append(observed('c1'));
      await journal.append({ type: 'tool-started', ...call });
      await journal.append({ type: 'tool-finished', ...call, ...result });
      await journal.append(gives('c1'));
      const summary = {
        startSeq: 1,
        endSeq: 2,
        text: 'They met.',
        usage: { inputTokens: 5, outputTokens: 6 },
      };
      await journal.replaceContext([], summary);
      const entries = await toArray(journal.read());
      const times = entries.flatMap((entry) => (entry.type === 'summary' ? [] : [entry.timestamp]));
      assert.deepEqual(times, times.toSorted(), 'the times of a record have to follow each other');
      const untimed = entries.map((entry) => ({ ...entry, timestamp: '' }));
      assert.deepEqual(untimed, [
        { ...message, seq: 1, timestamp: '' },
        { ...observed('c1'), timestamp: '' },
        { ...gives('c1'), seq: 2, timestamp: '' },
        { type: 'summary', summary, timestamp: '' },
      ]);
    },
  },
  {
    name: "numbers messages alone, lines of tools alone, and facts by the record's line",
    run: async (fixture) => {
      const { run } = await begin(fixture);
      const append = (event: JournalEvent<MessageLike>) => run.journal.append(event);
      assert.equal(await append(says('user', 'one')), 1);
      assert.equal(await append({ type: 'tool-started', ...call }), 1);
      assert.equal(await append({ type: 'tool-finished', ...call, ...result }), 2);
      assert.equal(await append(observed('c1')), run.position().line);
      assert.equal(await append(says('user', 'two')), 2);
    },
  },
  {
    name: 'executes concurrent calls in their order',
    run: async (fixture) => {
      const { run } = await begin(fixture);
      const texts = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);
      const numbers = await Promise.all(texts.map((text) => run.journal.append(says('user', text))));
      assert.deepEqual(
        numbers,
        texts.map((_, index) => index + 1),
      );
      assert.deepEqual(await readWords(run), texts);
    },
  },
  {
    name: 'executes an end and concurrent writes one after the other [NX-82]',
    run: async (fixture) => {
      const process = await begin(fixture);
      const { journal, outbox, state } = process.run;
      const writes = [
        journal.finish(end),
        journal.append(observed('late')),
        outbox.open(comment),
        state.write('notes.json', { late: true }),
      ];
      await Promise.all(writes);
      const { store } = await restart(fixture, process);
      const run = await store.restore(first);
      assert.equal(run.damage, null);
      assert.deepEqual(await readWords(run), [{ id: 'late' }]);
      assert.deepEqual(toStates(await run.outbox.list()), ['final: open']);
      assert.deepEqual(await run.state.read('notes.json'), { late: true });
    },
  },
  {
    name: "refuses invalid events and the store's own facts, and continues",
    run: async (fixture) => {
      const { run } = await begin(fixture);
      const none = { type: 'message', message: { role: 'user', content: 1 } } as never;
      await rejectsWithCode(run.journal.append(none), 'invalid');
      for (const name of ['ended', 'intent', 'Observed', ''])
        await rejectsWithCode(run.journal.append({ type: 'fact', name, data: {} }), 'invalid');
      const data = { big: 1n } as never;
      await rejectsWithCode(run.journal.append({ ...observed('c1'), data }), 'invalid');
      await rejectsWithCode(run.journal.finish({} as never), 'invalid');
      assert.equal(await run.journal.append(says('user', 'one')), 1);
      assert.deepEqual(await readWords(run), ['one']);
    },
  },
  {
    name: 'has after a crash what it acknowledged before, and continues from there [NX-82]',
    run: async (fixture) => {
      const process = await begin(fixture);
      await process.run.journal.append(says('user', 'one'));
      await process.run.journal.replaceContext([], { startSeq: 1, endSeq: 1, text: 'sum' });
      await process.run.journal.append(observed('c1'));
      await process.run.journal.append(says('user', 'two'));
      const { store } = await restart(fixture, process);
      const run = await store.restore(first);
      assert.deepEqual(await readWords(run), ['one', 'sum', { id: 'c1' }, 'two']);
      assert.equal(await run.journal.append(says('user', 'three')), 3);
      assert.deepEqual(await readWords(run), ['one', 'sum', { id: 'c1' }, 'two', 'three']);
    },
  },
  {
    name: 'acknowledges nothing that was refused, and takes from then on the end alone',
    run: async (fixture) => {
      const process = await begin(fixture);
      await process.run.journal.append(says('user', 'one'));
      process.failNext('before');
      await rejectsWithCode(process.run.journal.append(says('user', 'lost')), 'storage-failed');
      await rejectsWithCode(process.run.journal.append(says('user', 'after the gap')), 'storage-failed');
      await process.run.journal.finish({ ...end, status: 'failed' }, { intents: [comment] });
      const { store } = await restart(fixture, process);
      const [listed] = (await store.listInterrupted()).runs;
      assert.equal(listed?.outcome?.status, 'failed');
      const run = await store.restore(first);
      assert.deepEqual(await readWords(run), ['one']);
      assert.deepEqual(toStates(await run.outbox.list()), ['final: open']);
    },
  },
  {
    name: 'holds at most once, and does not acknowledge, what a failed write has executed',
    run: async (fixture) => {
      const process = await begin(fixture);
      await process.run.journal.append(says('user', 'one'));
      process.failNext('after');
      await rejectsWithCode(process.run.journal.append(says('user', 'two')), 'storage-failed');
      const { store } = await restart(fixture, process);
      const run = await store.restore(first);
      const found = await readWords(run);
      assert.deepEqual(found, ['one', 'two'].slice(0, found.length));
      assert.notEqual(found.length, 0, 'what was acknowledged before has to be there');
      assert.equal(await run.journal.append(says('user', 'three')), found.length + 1);
      assert.deepEqual(await readWords(run), [...found, 'three']);
    },
  },
  {
    name: 'commits the end of a run behind a write that was stored without an answer, and drops that write',
    run: async (fixture) => {
      const process = await begin(fixture);
      await process.run.journal.append(says('user', 'one'));
      process.failNext('after');
      await rejectsWithCode(process.run.journal.append(says('user', 'two')), 'storage-failed');
      await assert.doesNotReject(
        process.run.journal.finish({ ...end, status: 'failed' }),
        'an end has to be written behind such a write',
      );
      const { store } = await restart(fixture, process);
      assert.equal((await store.listInterrupted()).runs[0]?.outcome?.status, 'failed');
      const run = await store.restore(first);
      assert.equal(run.damage, null);
      assert.deepEqual(await readWords(run), ['one']);
    },
  },
  {
    name: 'lets the last of two openings write, and both of them end the run',
    run: async (fixture) => {
      const { store, run: one } = await begin(fixture);
      await one.journal.append(says('user', 'one'));
      const other = await store.open(newRun(first));
      await rejectsWithCode(one.journal.append(says('user', 'lost')), 'owned');
      assert.equal(await other.journal.append(says('user', 'two')), 2);
      await one.journal.finish(end);
      assert.deepEqual(await readWords(other), ['one', 'two']);
      assert.equal((await store.listInterrupted()).runs[0]?.outcome?.status, 'completed');
    },
  },
  {
    name: 'has one journal for each run, also of two that are opened at once',
    run: async ({ start }) => {
      const { store } = await start();
      const both = await Promise.all([store.open(newRun(first)), store.open(newRun(first))]);
      const [one, other] = both.map(({ journal }) => journal.append(says('user', 'who?')));
      const numbers = await Promise.allSettled([one, other]);
      assert.equal(numbers.filter(({ status }) => status === 'fulfilled').length, 1);
      assert.deepEqual(await readWords(await store.restore(first)), ['who?']);
    },
  },
  {
    name: 'names the place of the last line, by a number and a check that go with each',
    run: async (fixture) => {
      const process = await begin(fixture);
      const places = [process.run.position()];
      for (const text of ['same', 'same']) {
        await process.run.journal.append(says('user', text));
        places.push(process.run.position());
      }
      const run = await (await restart(fixture, process)).store.restore(first);
      const [begun, one, two] = places.map(({ line }) => line) as [number, number, number];
      assert.deepEqual([one, two], [begun + 1, begun + 2]);
      assert.equal(new Set(places.map(({ check }) => check)).size, 3, 'no two lines have one check');
      assert.ok(run.position().line >= two, 'a run that is opened again is not shorter');
    },
  },
  {
    name: 'shows a reader the messages, summaries and tool calls of a run in their places',
    run: async (fixture) => {
      const { run, reader } = await begin(fixture);
      await run.journal.append(says('user', 'one'));
      await run.journal.append(calls('c1'));
      await run.journal.append({ type: 'tool-started', ...call });
      await run.journal.append({ type: 'tool-finished', ...call, title: unusual, ...result });
      await run.journal.append(gives('c1'));
      const shown = await toArray((await reader.readRun(first)).history());
      assert.deepEqual(
        shown.map((entry) => (entry.type === 'tool' ? `${entry.toolCallId} ${entry.status}` : entry.type)),
        ['message', 'message', 'c1 started', 'c1 success', 'message'],
      );
      const finished = shown[3];
      assert.equal(finished?.type === 'tool' && finished.output, unusual);
      const titles = shown.flatMap((entry) => (entry.type === 'tool' ? [entry.title] : []));
      assert.deepEqual(titles, [null, unusual]);
    },
  },
  {
    name: 'shows a reader that is behind a beginning of the record, without holes',
    run: async (fixture) => {
      const { run, reader } = await begin(fixture);
      const texts = Array.from({ length: 30 }, (_, index) => `line ${index}`);
      for (const text of texts.slice(0, 15)) await run.journal.append(says('user', text));
      const seen: unknown[] = [];
      for await (const entry of (await reader.readRun(first)).history()) {
        if (entry.type === 'message') seen.push(entry.message.content);
        const next = texts[15 + seen.length - 1];
        if (next !== undefined) await run.journal.append(says('user', next));
      }
      assert.ok(seen.length >= 15, 'what was acknowledged before the reading began has to be there');
      assert.deepEqual(seen, texts.slice(0, seen.length));
    },
  },
];
