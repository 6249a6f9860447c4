import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useDirectory } from '../../test/use-directory.ts';
import type { TaskState } from '../lines/task-state.ts';
import { newRun, parseMessage, says, toArray } from '../testing/store-setup.ts';
import { createFileRunStore, type FileRunStoreOptions } from './file-run-store.ts';
import { createFileRunReader } from './run-reader.ts';

const directory = useDirectory();

let time = Date.parse('2026-03-01T12:00:00Z');
const now = () => {
  time += 1_000;
  return time;
};
const createStore = (options: Partial<FileRunStoreOptions<ReturnType<typeof parseMessage>>> = {}) =>
  createFileRunStore({ baseDirectory: directory.path, parseMessage, now, ...options });
const path = (...names: string[]) => join(directory.path, ...names);
const readState = async (...names: string[]) =>
  JSON.parse(await readFile(path(...names, 'task_state.json'), 'utf8'));
const newPause = { lastError: null, planningState: null };
const statistics = { modelCalls: 1, toolCalls: 2, inputTokens: 3, outputTokens: 4, durationMs: 5 };
const end = (status: 'needs_input' | 'completed') => ({ status, reason: null, finalText: null, statistics });

async function openPaused(uuid: string = randomUUID()): Promise<string> {
  const store = createStore();
  const { journal } = await store.open(newRun(uuid));
  await journal.append(says('user', 'hello'));
  await store.pause(uuid, newPause);
  return uuid;
}

describe('a pause', () => {
  it('saves the state in the words of the original, and moves the directory [RL-4]', async () => {
    const uuid = randomUUID();
    const store = createStore();
    await store.open(newRun(uuid));
    const planningState = { enabled: true, current_phase: 'execution', action_counter: 2 };
    const state = await store.pause(uuid, { lastError: 'the model was busy', planningState });
    expect(await readdir(path('running'))).toEqual([]);
    expect(await readState('paused', uuid)).toEqual({
      task_key: { type: 'github_issue', owner: 'octo', repo: 'cat', number: 42 },
      uuid,
      user: 'mona',
      paused_at: state.pausedAt,
      status: 'paused',
      resume_count: 0,
      last_error: 'the model was busy',
      context_path: expect.stringMatching(new RegExp(`^[^/]+/paused/${uuid}$`)),
      planning_state: planningState,
    });
    expect((await store.listPaused()).runs).toMatchObject([{ uuid, metadata: newRun(uuid), state }]);
    expect(await store.pause(uuid, newPause)).toEqual(state);
  });

  it('may be kept elsewhere [RL-4]', async () => {
    const uuid = randomUUID();
    const pausedDirectory = path('elsewhere', 'waiting');
    const store = createStore({ pausedDirectory });
    await store.open(newRun(uuid));
    expect((await store.pause(uuid, newPause)).contextPath).toBe(`elsewhere/waiting/${uuid}`);
    expect(await readdir(pausedDirectory)).toEqual([uuid]);
    await store.resume(uuid);
    expect(await readdir(path('running', uuid))).toContain('metadata.json');
  });

  it('that cannot be moved is taken back, and says what is in the way [RL-4]', async () => {
    const uuid = randomUUID();
    const store = createStore();
    await store.open(newRun(uuid));
    await mkdir(path('paused'));
    await mkdir(path('paused', uuid));
    await writeFile(path('paused', uuid, 'notes.txt'), 'mine');
    await expect(store.pause(uuid, newPause)).rejects.toMatchObject({
      code: 'damaged',
      message: expect.stringContaining('Move one of the two away'),
    });
    expect((await readState('running', uuid)).status).toBe('running');
    await expect(store.resume(uuid)).rejects.toMatchObject({ code: 'damaged' });
    await rm(path('paused', uuid), { recursive: true });
    expect((await store.listInterrupted()).runs.map((run) => run.uuid)).toEqual([uuid]);
  });

  it('is nothing for a run that has ended, and nothing begins or restores a paused one [RL-7]', async () => {
    const [ended, paused] = [randomUUID(), await openPaused()];
    const store = createStore();
    await (await store.open(newRun(ended))).journal.finish(end('completed'));
    await expect(store.pause(ended, newPause)).rejects.toMatchObject({ code: 'invalid' });
    await store.finish(ended);
    await expect(store.resume(ended)).rejects.toThrow('has ended');
    const attempts = [
      () => store.open(newRun(paused)),
      () => store.restore(paused),
      () => store.finish(paused),
    ];
    for (const attempt of attempts) {
      await expect(attempt()).rejects.toMatchObject({
        code: 'invalid',
        message: expect.stringMatching(/paused/),
      });
    }
    await expect(store.resume(randomUUID())).rejects.toMatchObject({ code: 'invalid' });
  });
});

describe('a resume', () => {
  it('counts itself over all pauses, and goes on with the same journal [RL-5]', async () => {
    const uuid = await openPaused();
    for (const count of [1, 2]) {
      const { journal, pause, metadata } = await createStore().resume(uuid);
      expect(pause).toMatchObject({ status: 'running', resumeCount: count });
      expect(metadata.uuid).toBe(uuid);
      expect(await journal.append(says('user', 'again'))).toBe(count + 1);
      expect(await readState('running', uuid)).toMatchObject({
        status: 'running',
        resume_count: count,
        resumed_at: pause.resumedAt,
      });
      await createStore().pause(uuid, newPause);
      expect(await readState('paused', uuid)).toMatchObject({ status: 'paused', resume_count: count });
    }
  });

  it('that a crash cut short behind its line is done: a file that lags behind the record pauses nothing again [RL-5, RL-9]', async () => {
    const uuid = await openPaused();
    const old = await readFile(path('paused', uuid, 'task_state.json'));
    await createStore().resume(uuid);
    await writeFile(path('running', uuid, 'task_state.json'), old);
    const reader = createFileRunReader({ baseDirectory: directory.path, parseMessage });
    const resumed = { status: 'running', resumeCount: 1 };
    expect((await reader.readRun(uuid)).pause).toMatchObject(resumed);
    expect((await createStore().listInterrupted()).pausing).toEqual([]);
    await writeFile(path('running', uuid, 'task_state.json'), old);
    expect((await createStore().resume(uuid)).pause).toMatchObject(resumed);
  });

  it('leaves a run whose journal cannot be read where it is [RL-5, RL-6]', async () => {
    const uuid = await openPaused();
    await writeFile(path('paused', uuid, 'messages.jsonl'), 'not json\n{}\n');
    const metadata = await readFile(path('paused', uuid, 'metadata.json'), 'utf8');
    await writeFile(path('paused', uuid, 'metadata.json'), 'nor this');
    await expect(createStore().resume(uuid)).rejects.toMatchObject({
      code: 'damaged',
      message: expect.stringContaining('metadata.json'),
    });
    await writeFile(path('paused', uuid, 'metadata.json'), metadata);
    expect((await createStore().listPaused()).runs.map((run) => run.uuid)).toEqual([uuid]);
    expect(await readdir(path('running'))).toEqual([]);
  });
});

describe('the list of paused runs', () => {
  it('reports and leaves what is damaged, half written, of another kind or in the way [RL-6]', async () => {
    const whole = await openPaused();
    const broken = new Map<string, (run: string) => Promise<unknown>>([
      ['has no task_state.json', (run) => writeFile(join(run, 'task_state.json'), '{"task_key":')],
      ['has no task_state.json,', (run) => rm(join(run, 'task_state.json'))],
      ['has the status "running"', (run) => changeState(run, { status: 'running' })],
      ['has no task_state', (run) => changeState(run, { paused_at: 'yesterday' })],
      ['has no task', (run) => changeState(run, { uuid: whole })],
      ['The system reported EISDIR', (run) => replaceByDirectory(join(run, 'task_state.json'))],
      ['metadata.json" is missing or damaged', (run) => rm(join(run, 'metadata.json'))],
    ]);
    const expected: { name: string; reason: string }[] = [];
    for (const [reason, damage] of broken) {
      const name = await openPaused();
      // Its record is lost, and says nothing of this.
      await writeFile(path('paused', name, 'messages.jsonl'), '');
      await damage(path('paused', name));
      expected.push({ name, reason: expect.stringContaining(reason) });
    }
    const linked = randomUUID();
    await symlink(path('paused', whole), path('paused', linked));
    await writeFile(path('paused', 'notes.txt'), 'mine');
    expected.push({ name: linked, reason: expect.stringContaining('is not a directory. Move it away') });
    expected.push({ name: 'notes.txt', reason: expect.stringContaining('not a uuid') });
    const before = await readdir(path('paused'));
    const { runs, damaged } = await createStore().listPaused();
    expect(runs.map(({ uuid }) => uuid)).toEqual([whole]);
    expect(damaged).toEqual(expected.toSorted((a, b) => (a.name < b.name ? -1 : 1)));
    expect(await readdir(path('paused'))).toEqual(before);
    for (const { name } of expected) await expect(createStore().resume(name)).rejects.toThrow();
    expect(await readdir(path('paused'))).toEqual(before);
  });
});

describe('a crash while runs are paused and resumed', () => {
  it('at any write leaves the run in one place, with all that it knew [RL-9]', async () => {
    for (let crashAt = 1; ; crashAt += 1) {
      const uuid = randomUUID();
      await createStore().open(newRun(uuid));
      let writes = 0;
      const dying = createStore({
        afterSync: () => {
          writes += 1;
          if (writes === crashAt) throw new Error('killed');
        },
      });
      const finished = await walk(dying, uuid).then(
        () => true,
        () => false,
      );
      const state = await recover(uuid);
      expect(state.status).toBe('paused');
      expect(state.resumeCount).toBeLessThanOrEqual(2);
      const { journal } = await createStore().resume(uuid);
      const texts = (await toArray(journal.read())).map((entry) => entry.type === 'message' && entry.seq);
      expect(texts).toEqual(texts.map((_, index) => index + 1));
      await rename(path('running', uuid), path(`done-${crashAt}`));
      if (finished) {
        expect(crashAt).toBeGreaterThan(8);
        return;
      }
    }
  });
});

type Store = ReturnType<typeof createStore>;

async function walk(store: Store, uuid: string): Promise<void> {
  for (const text of ['one', 'two']) {
    await (await store.restore(uuid)).journal.append(says('user', text));
    await store.pause(uuid, newPause);
    await store.resume(uuid);
  }
  await store.pause(uuid, newPause);
}

/** What a next start does: completes what was begun, and pauses what was going on. */
async function recover(uuid: string): Promise<TaskState> {
  const store = createStore();
  const { runs, pausing, damaged } = await store.listInterrupted();
  const { runs: paused } = await store.listPaused();
  expect(damaged).toEqual([]);
  expect([...runs, ...pausing, ...paused].map((run) => run.uuid)).toEqual([uuid]);
  return store.pause(uuid, newPause);
}

async function changeState(run: string, change: object): Promise<void> {
  const file = join(run, 'task_state.json');
  const state = JSON.parse(await readFile(file, 'utf8'));
  await writeFile(file, JSON.stringify({ ...state, ...change }));
}

async function replaceByDirectory(file: string): Promise<void> {
  await rm(file);
  await mkdir(file);
}
