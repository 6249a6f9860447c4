import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useDirectory } from '../../test/use-directory.ts';
import type { HistoryEntry } from '../journal/read-journal.ts';
import { calls, gives, newRun, parseMessage, says, toArray } from '../testing/store-setup.ts';
import { createFileRunStore } from './file-run-store.ts';
import { createFileRunLines, createFileRunReader } from './run-reader.ts';

const directory = useDirectory();

let time = Date.parse('2026-03-01T12:00:00Z');
const now = () => {
  time += 1_000;
  return time;
};
const createStore = () => createFileRunStore({ baseDirectory: directory.path, parseMessage, now });
const createReader = () => createFileRunReader({ baseDirectory: directory.path, parseMessage });
const path = (...names: string[]) => join(directory.path, ...names);
const newPause = { lastError: null, planningState: null };
const outcome = {
  status: 'failed',
  reason: 'the model was busy',
  finalText: null,
  statistics: { modelCalls: 1, toolCalls: 2, inputTokens: 3, outputTokens: 4, durationMs: 5 },
} as const;

async function openRun(uuid: string = randomUUID(), store = createStore()): Promise<string> {
  const extra = { title: 'It is broken', number: 42, url: 'https://github.com/octo/cat/issues/42' };
  await store.open({ ...newRun(uuid), extra });
  return uuid;
}

async function endRun(uuid: string = randomUUID(), store = createStore()): Promise<string> {
  await openRun(uuid, store);
  await (await store.restore(uuid)).journal.finish(outcome);
  await store.finish(uuid);
  return uuid;
}

describe('a run that moves while it is read', () => {
  it('is found, with all that it says, however its moves and the reads meet', async () => {
    const store = createStore();
    const uuid = await openRun(randomUUID(), store);
    const run = await store.restore(uuid);
    await run.journal.append(says('user', 'Hello'));
    await run.state.write('plan.json', { step: 1 });
    const outbox = store.openOutbox(uuid);
    await outbox.open({ id: 'label', kind: 'label', data: null });
    const reader = createReader();
    let isMoving = true;
    const move = async (): Promise<void> => {
      for (let times = 0; times < 12; times += 1) {
        await store.pause(uuid, newPause);
        await store.resume(uuid);
      }
      isMoving = false;
    };
    const read = async (): Promise<void> => {
      while (isMoving) {
        const { metadata, state, history } = await reader.readRun(uuid);
        expect(metadata.uuid).toBe(uuid);
        expect((await toArray(history()))[0]).toMatchObject({ type: 'message' });
        expect(await state.read('plan.json')).toEqual({ step: 1 });
        expect(await outbox.list()).toHaveLength(1);
      }
    };
    await Promise.all([move(), read(), read()]);
  });
});

describe('lines of a run that ends while they are read', () => {
  it('are all there', async () => {
    const store = createStore();
    const { readLast } = createFileRunLines({ baseDirectory: directory.path });
    for (let runs = 0; runs < 12; runs += 1) {
      const uuid = await openRun(randomUUID(), store);
      const { journal } = await store.restore(uuid);
      await journal.append({ type: 'tool-started', toolCallId: '1', tool: 'read', args: {} });
      await journal.finish(outcome);
      let isMoving = true;
      const read = async (): Promise<void> => {
        while (isMoving) expect((await readLast(uuid, { tools: { limit: 1 } }))?.tools).toHaveLength(1);
      };
      const move = async (): Promise<void> => {
        await store.finish(uuid);
        isMoving = false;
      };
      await Promise.all([read(), read(), read(), read(), move()]);
    }
  });
});

describe('the overview', () => {
  it('shows what runs, what is about to be paused, what is paused, and what ended last', async () => {
    const ended = [await endRun(), await endRun(), await endRun()];
    const [running, pausing, paused] = [await openRun(), await openRun(), await openRun()];
    await createStore().commitPause(pausing, newPause);
    await createStore().pause(paused, newPause);
    const overview = await createReader().readOverview({ recent: 2 });
    expect(overview.running).toMatchObject([{ uuid: running, outcome: null }]);
    expect(overview.pausing.map(({ uuid }) => uuid)).toEqual([pausing]);
    expect(overview.paused.map(({ uuid }) => uuid)).toEqual([paused]);
    expect(overview.recent.map(({ uuid }) => uuid)).toEqual([ended[2], ended[1]]);
    expect(overview.recent[0]).toEqual({
      uuid: ended[2],
      taskKeyText: 'github_issue:octo:cat:42',
      host: 'github.com',
      status: 'failed',
      reason: 'the model was busy',
      user: 'mona',
      title: 'It is broken',
      number: 42,
      url: 'https://github.com/octo/cat/issues/42',
      createdAt: expect.any(String),
      finishedAt: expect.any(String),
      inheritanceDepth: 0,
      inheritedTokens: 0,
    });
    expect(overview.damaged).toEqual([]);
  });

  it('is empty where nothing has ever run, and makes nothing', async () => {
    expect(await createReader().readOverview({ recent: 10 })).toEqual({
      running: [],
      pausing: [],
      paused: [],
      recent: [],
      damaged: [],
    });
    expect(await readdir(directory.path)).toEqual([]);
  });

  it('leaves alone what another process is about to make, and reports what is damaged', async () => {
    const running = await openRun();
    await mkdir(path('running', `.new-${randomUUID()}`));
    await writeFile(path('running', 'notes.txt'), 'mine');
    for (const file of ['metadata.json', 'messages.jsonl'])
      await writeFile(path('running', running, file), '{');
    await writeFile(path('recent.jsonl'), 'not json\n{"uuid":"torn');
    const before = await readdir(path('running'));
    const { damaged, recent } = await createReader().readOverview({ recent: 10 });
    expect(recent).toEqual([]);
    expect(damaged.map(({ name }) => name)).toEqual([running, 'notes.txt', 'recent.jsonl']);
    expect(await readdir(path('running'))).toEqual(before);
    expect(await readFile(path('recent.jsonl'), 'utf8')).toBe('not json\n{"uuid":"torn');
  });

  it('never looks at what is completed, however much there is', async () => {
    await mkdir(path('completed'));
    await writeFile(path('completed', 'notes.txt'), 'no run at all');
    expect((await createReader().readOverview({ recent: 5 })).damaged).toEqual([]);
    const store = createStore();
    expect((await store.listInterrupted()).damaged).toEqual([]);
    expect((await store.listPaused()).damaged).toEqual([]);
  });
});

describe('the list of recent runs', () => {
  it('has one line for a run whose end was interrupted before its move [RL-9]', async () => {
    const uuid = await openRun();
    await (await createStore().restore(uuid)).journal.finish(outcome);
    await writeFile(path('completed'), 'in the way of the move');
    await expect(createStore().finish(uuid)).rejects.toMatchObject({ code: 'storage-failed' });
    expect(await readdir(path('running'))).toEqual([uuid]);
    await rm(path('completed'));
    await createStore().finish(uuid);
    await createStore().finish(uuid);
    const lines = (await readFile(path('recent.jsonl'), 'utf8')).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ uuid, status: 'failed' }]);
  });

  it('is not spoilt by a line that a crash tore, nor by runs that end together [RL-9]', async () => {
    const first = await endRun();
    const whole = await readFile(path('recent.jsonl'), 'utf8');
    await writeFile(path('recent.jsonl'), `${whole}{"uuid":"torn`);
    const store = createStore();
    const together = await Promise.all([1, 2, 3].map(() => endRun(randomUUID(), store)));
    const { recent, damaged } = await createReader().readOverview({ recent: 10 });
    expect(damaged).toEqual([]);
    expect(recent.map(({ uuid }) => uuid).toSorted()).toEqual([first, ...together].toSorted());
  });

  it('does not grow for ever, and keeps the newest', { tags: ['full'] }, async () => {
    const line = `${JSON.stringify({ uuid: 'x', filler: 'y'.repeat(64_000) })}\n`;
    await mkdir(directory.path, { recursive: true });
    await writeFile(path('recent.jsonl'), line.repeat(1_100));
    const uuid = await endRun();
    expect((await stat(path('recent.jsonl'))).size).toBeLessThan(40_000_000);
    expect((await createReader().readOverview({ recent: 1 })).recent[0]?.uuid).toBe(uuid);
  });

  it('does not keep a run from ending when it cannot be written', async () => {
    await mkdir(path('recent.jsonl'));
    const uuid = await endRun();
    expect(await readdir(path('completed'))).toEqual([uuid]);
  });
});

describe('one run', () => {
  it('is found by the beginning of its uuid, when that is of one run alone', async () => {
    const [one, two] = ['aaaa1111', 'aaaa2222'].map((start) => `${start}${randomUUID().slice(8)}`);
    await endRun(one);
    await openRun(two);
    const reader = createReader();
    expect(await reader.readRun('AAAA1')).toMatchObject({
      uuid: one,
      location: path('completed', String(one)),
    });
    await expect(reader.readRun('aaaa')).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining(`${two} (running), ${one} (completed)`),
    });
    await expect(reader.readRun('bbbb')).rejects.toThrow('No run begins with "bbbb"');
  });

  it.each(['', 'abc', '../..', 'aaaa/../', '....', 'x'.repeat(40)])(
    'is not looked for by %j',
    async (name) => {
      await endRun();
      await expect(createReader().readRun(name)).rejects.toMatchObject({
        code: 'invalid',
        message: expect.stringContaining('at least 4'),
      });
    },
  );

  it('is not looked for behind a link', async () => {
    const [target, linked] = [await openRun(), randomUUID()];
    await symlink(path('running', target), path('running', linked));
    await expect(createReader().readRun(linked)).rejects.toMatchObject({ code: 'damaged' });
    await expect(createReader().readRun(linked.slice(0, 8))).rejects.toMatchObject({ code: 'damaged' });
  });

  it('shows its tool calls between the messages that ask for them and those that answer', async () => {
    const uuid = randomUUID();
    // Each step within one millisecond: there the order is not the clock's to tell.
    const store = createFileRunStore({ baseDirectory: directory.path, parseMessage, now: () => time });
    const { journal } = await store.open(newRun(uuid));
    await journal.append(says('user', 'Mend it.'));
    await journal.append(calls('1'));
    await journal.append({ type: 'tool-started', toolCallId: '1', tool: 'read', args: { path: 'a' } });
    const call = { toolCallId: '1', tool: 'read', args: { path: 'a' } };
    await journal.append({ type: 'tool-finished', ...call, status: 'error', output: 'no', durationMs: 7 });
    await journal.append(gives('1'));
    await journal.replaceContext([], { startSeq: 1, endSeq: 3, text: 'They read.' });
    time += 1;
    await journal.append(calls('2'));
    await journal.append({ type: 'tool-started', toolCallId: '2', tool: 'read', args: {} });
    const before = await readFile(path('running', uuid, 'tools.jsonl'), 'utf8');
    await writeFile(path('running', uuid, 'tools.jsonl'), `${before}{"seq":`);
    const history = await toArray((await createReader().readRun(uuid)).history());
    expect(history.map(describeEntry)).toEqual([
      'user',
      'assistant',
      'started 1',
      'error 1',
      'tool',
      'summary',
      'assistant',
      'started 2',
    ]);
    expect(history[3]).toMatchObject({ tool: 'read', args: { path: 'a' }, output: 'no', durationMs: 7 });
  });

  it('names the line that is damaged', async () => {
    const uuid = await openRun();
    const messages = path('running', uuid, 'messages.jsonl');
    await writeFile(messages, `${await readFile(messages, 'utf8')}{"seq":1}\n`);
    await expect(toArray((await createReader().readRun(uuid)).history())).rejects.toMatchObject({
      code: 'damaged',
      message: expect.stringMatching(/^Line \d+ of /),
    });
  });
});

function describeEntry(entry: HistoryEntry<{ readonly role: string }>): string {
  if (entry.type === 'message') return entry.message.role;
  if (entry.type === 'fact') return entry.name;
  return entry.type === 'summary' ? 'summary' : `${entry.status} ${entry.toolCallId}`;
}
