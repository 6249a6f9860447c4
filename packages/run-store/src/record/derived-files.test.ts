import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFileRunStore } from '../file/file-run-store.ts';
import { createFileRunLines, createFileRunReader } from '../file/run-reader.ts';
import type { JsonObject } from '../run-model.ts';
import {
  calls,
  end,
  gives,
  makeDirectory,
  newRun,
  parseMessage,
  says,
  toArray,
} from '../testing/store-setup.ts';

type Directory = Awaited<ReturnType<typeof makeDirectory>>;
/** With the run as it was written: each test harms a copy. */
let written: Directory;
let directory: Directory;
let before: Awaited<ReturnType<typeof readBack>>;

beforeAll(async () => {
  written = await makeDirectory();
  directory = written;
  await writeRun();
  await copyRun();
  before = await readBack();
  await directory.remove();
});
afterAll(() => written.remove());
beforeEach(() => copyRun());
afterEach(() => directory.remove());

async function copyRun(): Promise<void> {
  directory = await makeDirectory();
  await cp(written.path, directory.path, { recursive: true });
}

const uuid = '0b39c9a4-4f5e-4d2b-8a3f-3f1d9c5b7e21';
const usage = { inputTokens: 9, outputTokens: 3 };
const call = { toolCallId: 'c1', tool: 'read', args: { path: 'a.ts' } };
const openStore = () => createFileRunStore({ baseDirectory: directory.path, parseMessage });
const openReader = () => createFileRunReader({ baseDirectory: directory.path, parseMessage });

/** Writes lines of all kinds: a run that was paused, resumed, left and killed, and has intents that are open. */
async function writeRun(): Promise<void> {
  const first = await openStore().open(newRun(uuid));
  await first.state.write('plans/plan.json', { step: 2 });
  await first.state.write('nonce', 'abc');
  await first.state.write('gone.json', 1);
  await first.state.write('gone.json', null);
  await first.journal.append(says('system', 'Be brief.'));
  await first.journal.append(says('user', 'Mend it.'));
  await first.journal.append({ type: 'fact', name: 'observed', data: { id: '9' } });
  await first.journal.append(plans({ type: 'plan', plan: { phase: 'planning' } }));
  await first.journal.append(plans({ type: 'phase', phase: 'execution' }));
  await first.journal.append(calls('c1'));
  await first.journal.append({ type: 'tool-started', ...call });
  await first.journal.append({
    type: 'tool-finished',
    ...call,
    status: 'success',
    output: 'x',
    durationMs: 3,
  });
  await first.journal.append(gives('c1'));
  await first.journal.replaceContext([], { startSeq: 2, endSeq: 3, text: 'Asked and read.' });
  const pausing = openStore();
  await pausing.restore(uuid);
  await pausing.pause(uuid, { lastError: null, planningState: { phase: 'two' } });
  const resuming = openStore();
  const resumed = await resuming.resume(uuid);
  await resumed.leave();
  const last = await openStore().restore(uuid);
  await last.outbox.open({ id: 'push', kind: 'push', data: {} });
  await last.finalSummary.append({ text: 'They mended it.', fields: { key: 1 }, usage }, { now: 0 });
}

const plans = (data: JsonObject) => ({ type: 'fact', name: 'planning', data }) as const;

/** All that can be read back of the run, without the times of this test, in the order of a start: what is restored is made anew. */
async function readBack() {
  const { runs, damaged } = await openStore().listInterrupted();
  const run = await openStore().restore(uuid);
  const { pause } = await openReader().readRun(uuid);
  const states = ['plans/plan.json', 'nonce', 'gone.json'];
  return {
    metadata: run.metadata,
    damage: run.damage,
    entries: await toArray((await openReader().readRun(uuid)).history()),
    states: await Promise.all(states.map((name) => run.state.read(name))),
    outbox: await run.outbox.list(),
    summary: await run.finalSummary.read(),
    pause,
    listed: { runs, damaged },
    files: await readFiles(join(directory.path, 'running', uuid)),
  };
}

/** Files beside the record, with what is in them. */
async function readFiles(at: string): Promise<Readonly<Record<string, string>>> {
  const names = (await readdir(at, { recursive: true })).sort();
  const texts = await Promise.all(
    names.map(async (name) => [name, await readFile(join(at, name), 'utf8').catch(() => '')] as const),
  );
  return Object.fromEntries(texts.filter(([name]) => name !== 'messages.jsonl'));
}

const derived = [
  ...['metadata.json', 'current.jsonl', 'tools.jsonl', 'summaries.jsonl', 'task_state.json'],
  ...['plans/plan.json', 'nonce', `planning/${uuid}.jsonl`],
];
const harms: Readonly<Record<string, (text: string) => string | null>> = {
  deleted: () => null,
  truncated: (text) => text.slice(0, text.length / 2),
  emptied: () => '',
  'full of garbage': () => '\u0000\u0001 no JSON {',
  // A letter that leaves it JSON wherever it is.
  'with a flipped bit': (text) =>
    text.replace(/[b-y](?=[a-z])/, (letter) => String.fromCharCode(letter.charCodeAt(0) ^ 1)),
};
const cases = derived.flatMap((file) => Object.keys(harms).map((harm) => [file, harm] as const));

async function harmFile(path: string, harm: string): Promise<void> {
  const text = harms[harm]?.(await readFile(path, 'utf8')) ?? null;
  await (text === null ? rm(path) : writeFile(path, text));
}

describe('every file of a run but its record', () => {
  it.each(cases)('can be harmed without changing anything: %s %s [NX-79]', async (file, harm) => {
    expect(Object.keys(before.files)).toEqual(expect.arrayContaining([...derived]));
    await harmFile(join(directory.path, 'running', uuid, file), harm);
    expect(await readBack()).toEqual(before);
  });

  it.each(Object.keys(harms))(
    'does not change how a run that ended is known: outcome.json %s [NX-79]',
    async (harm) => {
      const { journal, outbox } = await openStore().restore(uuid);
      await journal.finish(end);
      await harmFile(join(directory.path, 'running', uuid, 'outcome.json'), harm);
      expect((await openStore().listInterrupted()).runs).toMatchObject([
        { outcome: { ...end, status: 'completed' } },
      ]);
      await outbox.settle('push', { state: 'done', made: null });
      await openStore().finish(uuid);
      const ended = join(directory.path, 'completed', uuid);
      expect(JSON.parse(await readFile(join(ended, 'outcome.json'), 'utf8'))).toMatchObject({
        final_text: 'Done.',
      });
    },
  );

  it.each(['deleted', 'truncated', 'emptied', 'full of garbage'])(
    'is not needed to list, show or inherit from a run that waits or has ended: %s [NX-79]',
    async (harm) => {
      const store = openStore();
      const { outbox, journal } = await store.restore(uuid);
      await outbox.settle('push', { state: 'done', made: null });
      await store.pause(uuid, { lastError: null, planningState: null });
      const paused = join(directory.path, 'paused', uuid);
      for (const file of derived) await harmFile(join(paused, file), harm);
      expect((await openStore().listPaused()).runs).toMatchObject([{ uuid, state: { status: 'paused' } }]);
      expect(await openStore().openState(uuid).read('plans/plan.json')).toEqual({ step: 2 });
      expect(journal).toBeDefined();
      const last = openStore();
      const resumed = await last.resume(uuid);
      await resumed.journal.finish(end);
      await last.finish(uuid);
      const ended = join(directory.path, 'completed', uuid);
      for (const file of [...derived, 'outcome.json']) await harmFile(join(ended, file), harm);
      expect(await openReader().readRun(uuid)).toMatchObject({
        metadata: { host: 'github.com' },
        outcome: { status: 'completed' },
      });
      const { readLast } = createFileRunLines({ baseDirectory: directory.path });
      expect((await readLast(uuid, { summaries: { limit: 1 } }))?.summaries).toEqual([
        expect.stringContaining('They mended it.'),
      ]);
      expect((await readLast(uuid, { tools: { limit: 9 } }))?.tools).toHaveLength(2);
      expect((await readLast(uuid, { planning: { limit: 9 } }))?.planning).toEqual([
        expect.stringContaining('"plan":{"phase":"planning"}'),
        expect.stringContaining('"phase":"execution"'),
      ]);
    },
  );
});
