import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileRunStore } from '../src/file/file-run-store.ts';
import { createFileRunLines, createFileRunReader } from '../src/file/run-reader.ts';
import { end, makeDirectory, parseMessage, says, toArray } from '../src/testing/store-setup.ts';

// Written by the store of commit d9b34c3, one directory for each state; nothing in them was changed since.
const recorded = join(import.meta.dirname, 'fixtures', 'earlier');
const uuids = {
  inTool: '10000000-0000-4000-8000-000000000001',
  ended: '20000000-0000-4000-8000-000000000002',
  paused: '30000000-0000-4000-8000-000000000003',
  resumed: '40000000-0000-4000-8000-000000000004',
  completed: '50000000-0000-4000-8000-000000000005',
};

let directory: Awaited<ReturnType<typeof makeDirectory>>;
beforeEach(async () => {
  directory = await makeDirectory();
  await cp(recorded, directory.path, { recursive: true });
});
afterEach(() => directory.remove());

const openStore = () => createFileRunStore({ baseDirectory: directory.path, parseMessage });
const openReader = () => createFileRunReader({ baseDirectory: directory.path, parseMessage });
const readTypes = async (uuid: string) =>
  (await toArray((await openReader().readRun(uuid)).history())).map((entry) =>
    entry.type === 'message' ? entry.message.role : entry.type === 'tool' ? entry.status : entry.type,
  );
const begun = ['system', 'user', 'assistant', 'started'];
const worked = [...begun, 'success', 'tool', 'summary', 'assistant'];

describe('a directory that an earlier version wrote', () => {
  it('is listed and shown as it stands, and not changed by that [NX-81]', async () => {
    const read = () => readFile(join(directory.path, 'paused', uuids.paused, 'messages.jsonl'), 'utf8');
    const before = await read();
    const { runs, damaged } = await openStore().listInterrupted();
    expect(runs.map(({ uuid, outcome }) => [uuid, outcome?.status ?? null])).toEqual([
      [uuids.inTool, null],
      [uuids.ended, 'completed'],
      [uuids.resumed, null],
    ]);
    expect(damaged).toEqual([]);
    expect((await openStore().listPaused()).runs.map(({ uuid }) => uuid)).toEqual([uuids.paused]);
    expect(await readTypes(uuids.inTool)).toEqual(begun);
    expect(await readTypes(uuids.paused)).toEqual(worked);
    expect(await read()).toBe(before);
  });

  it('keeps the plans that lie beside its journal when it is resumed and finished [NX-81]', async () => {
    const path = (place: string) =>
      join(directory.path, place, uuids.inTool, 'planning', `${uuids.inTool}.jsonl`);
    await mkdir(dirname(path('running')));
    const place = { timestamp: '2026-01-01T00:00:00Z', issue_id: 42, task_uuid: 'u' };
    const plan = JSON.stringify({ type: 'plan', ...place, plan: { phase: 'planning' } });
    await writeFile(path('running'), `${plan}\n{"torn":`);
    const store = openStore();
    const { journal } = await store.restore(uuids.inTool);
    const facts = (await toArray(journal.read())).filter((entry) => entry.type === 'fact');
    expect(facts).toMatchObject([{ name: 'planning', data: { plan: { phase: 'planning' } } }]);
    await journal.finish(end);
    await store.finish(uuids.inTool);
    const { readLast } = createFileRunLines({ baseDirectory: directory.path });
    expect((await readLast(uuids.inTool, { planning: { limit: 9 } }))?.planning).toEqual([plan]);
    expect(await readFile(path('completed'), 'utf8')).toBe(`${plan}\n`);
  });

  it('in the middle of a tool is gone on with and finished [NX-81]', async () => {
    const store = openStore();
    const { journal, damage, crashesInARow } = await store.restore(uuids.inTool);
    expect([damage, crashesInARow]).toEqual([null, 2]);
    expect(await journal.append(says('user', 'On.'))).toBe(4);
    await journal.append({ type: 'tool-started', toolCallId: 'c2', tool: 'read', args: {} });
    await journal.finish(end);
    await store.finish(uuids.inTool);
    expect(await readTypes(uuids.inTool)).toEqual([...begun, 'user', 'started']);
    const { readLast } = createFileRunLines({ baseDirectory: directory.path });
    expect(
      (await readLast(uuids.inTool, { tools: { limit: 9 } }))?.tools.map((line) => JSON.parse(line).seq),
    ).toEqual([1, 2]);
  });

  it('with an outcome keeps it, and is put away [NX-81]', async () => {
    const store = openStore();
    await store.restore(uuids.ended);
    await store.finish(uuids.ended);
    expect((await openReader().readRun(uuids.ended)).outcome).toMatchObject({
      status: 'completed',
      details: { final_comment: 'Done.' },
    });
    expect(await readTypes(uuids.ended)).toEqual(worked);
  });

  it('that is paused is resumed with its state, its context and its count [NX-81]', async () => {
    const { pause, state, journal } = await openStore().resume(uuids.paused);
    expect(pause).toMatchObject({ resumeCount: 1, planningState: { phase: 'two' } });
    expect(await state.read('comment_detection_state.json')).toEqual({ seen: ['9'] });
    expect(await journal.append(says('user', 'On.'))).toBe(6);
    const current = await readFile(join(directory.path, 'running', uuids.paused, 'current.jsonl'), 'utf8');
    expect(current).toContain('It was read.');
  });

  it('that was resumed and left goes on without a crash to count [NX-81]', async () => {
    const store = openStore();
    const { crashesInARow, journal } = await store.restore(uuids.resumed);
    expect(crashesInARow).toBe(0);
    await journal.append(says('assistant', 'They pass.'));
    expect(await store.pause(uuids.resumed, { lastError: null, planningState: null })).toMatchObject({
      resumeCount: 1,
    });
  });

  it('that is completed is inherited from, and takes another summary [NX-81]', async () => {
    const { readLast } = createFileRunLines({ baseDirectory: directory.path });
    const summaries = async () =>
      (await readLast(uuids.completed, { summaries: { limit: 9 } }))?.summaries ?? null;
    expect((await summaries())?.map((line) => JSON.parse(line).summary)).toEqual([
      'It was read.',
      'It was mended.',
    ]);
    const { finalSummary, metadata } = await openStore().openEnded(uuids.completed);
    expect(metadata).toMatchObject({ inheritedFromUuid: uuids.ended, inheritanceDepth: 1 });
    expect(await finalSummary.read()).toMatchObject({ isThere: true, isUpToDate: true });
    const usage = { inputTokens: 1, outputTokens: 1 };
    await finalSummary.append({ text: 'Once more.', fields: {}, usage }, { now: 0 });
    expect((await summaries())?.map((line) => JSON.parse(line).id)).toEqual([1, 2, 3]);
    expect(await readTypes(uuids.completed)).toEqual(worked);
  });
});
