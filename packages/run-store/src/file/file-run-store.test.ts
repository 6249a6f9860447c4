import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useDirectory } from '../../test/use-directory.ts';
import { newRun, end as outcome, parseMessage, says } from '../testing/store-setup.ts';
import { createFileRunStore } from './file-run-store.ts';

const directory = useDirectory();

let time = Date.parse('2026-03-01T12:00:00Z');
const now = () => {
  time += 1_000;
  return time;
};
const createStore = () =>
  createFileRunStore({ baseDirectory: directory.path, parseMessage, now, hostname: 'box', processId: 7 });

describe('createFileRunStore', () => {
  it('writes what a run is, once, in the words of the seeds [CI-35, CI-66]', async () => {
    const uuid = randomUUID();
    await createStore().open(newRun(uuid));
    const run = join(directory.path, 'running', uuid);
    const metadata = JSON.parse(await readFile(join(run, 'metadata.json'), 'utf8'));
    expect(metadata).toEqual({
      uuid,
      task_key: { type: 'github_issue', owner: 'octo', repo: 'cat', number: 42 },
      task_key_text: 'github_issue:octo:cat:42',
      task_key_hash: '3576f43e92686789e41d37d7fc87967ba1040d69754ae0bf61ca7792f54a818c',
      host: 'github.com',
      user: 'mona',
      created_at: expect.stringMatching(/^2026-03-01T12:00:\d\d\.000Z$/),
      process_id: 7,
      version: 1,
      hostname: 'box',
      config: { llm_provider: 'openai', model: 'a-model', context_length: 128_000 },
      inherited_from_uuid: null,
      inheritance_depth: 0,
      extra: { branch: 'agent/issue-42-fix-it' },
    });
    expect((await readdir(run)).sort()).toEqual([
      'current.jsonl',
      'messages.jsonl',
      'metadata.json',
      'summaries.jsonl',
      'tools.jsonl',
    ]);
  });

  it('writes down what a run takes over, for the index and for the list of recent runs [CI-35]', async () => {
    const uuid = randomUUID();
    const [inheritedFromUuid, extra] = [randomUUID(), { inherited_tokens: 120 }];
    const store = createStore();
    const run = { ...newRun(uuid), inheritedFromUuid, inheritanceDepth: 2, extra };
    const { metadata, journal } = await store.open(run);
    expect(metadata).toMatchObject({ inheritedFromUuid, inheritanceDepth: 2 });
    await journal.finish(outcome);
    await store.finish(uuid);
    const text = await readFile(join(directory.path, 'completed', uuid, 'metadata.json'), 'utf8');
    expect(JSON.parse(text)).toMatchObject({ inherited_from_uuid: inheritedFromUuid, inheritance_depth: 2 });
    const [line] = (await readFile(join(directory.path, 'recent.jsonl'), 'utf8')).trim().split('\n');
    expect(JSON.parse(line ?? '')).toMatchObject({ inheritance_depth: 2, inherited_tokens: 120 });
  });

  it('never changes what a run is: what changes goes to task_state.json and outcome.json [C20]', async () => {
    const uuid = randomUUID();
    const pathIn = (place: string, file: string) => join(directory.path, place, uuid, file);
    const readMetadata = async (place: string) => {
      const file = pathIn(place, 'metadata.json');
      const { ino, mtimeMs } = await stat(file);
      return { text: await readFile(file, 'utf8'), ino, mtimeMs };
    };
    await createStore().open({ ...newRun(uuid), inheritedFromUuid: randomUUID(), inheritanceDepth: 1 });
    const written = await readMetadata('running');
    for (const resumeCount of [0, 1]) {
      await createStore().pause(uuid, { lastError: null, planningState: null });
      const state = JSON.parse(await readFile(pathIn('paused', 'task_state.json'), 'utf8'));
      expect(state).toMatchObject({ uuid, status: 'paused', resume_count: resumeCount });
      expect(await readMetadata('paused')).toEqual(written);
      await (await createStore().resume(uuid)).leave();
    }
    const store = createStore();
    await (await store.restore(uuid)).journal.finish(outcome);
    await store.finish(uuid);
    const end = JSON.parse(await readFile(pathIn('completed', 'outcome.json'), 'utf8'));
    expect(end).toMatchObject({ status: 'completed' });
    expect(await readMetadata('completed')).toEqual(written);
  });

  it('brings the context on disk up to date wherever the run comes to rest, and can go on after it [RL-4, RL-12]', async () => {
    const [uuid, store] = [randomUUID(), createStore()];
    const { journal, leave } = await store.open(newRun(uuid));
    const run = join(directory.path, 'running', uuid);
    const readContext = async (place: string) =>
      (await readFile(join(place, 'current.jsonl'), 'utf8')).match(/\d(?=")/g)?.join('') ?? '';
    await journal.append(says('user', '1'));
    expect(await readContext(run)).toBe('');
    await leave();
    expect(await readContext(run)).toBe('1');
    await journal.append(says('user', '2'));
    await store.pause(uuid, { lastError: null, planningState: null });
    expect(await readContext(join(directory.path, 'paused', uuid))).toBe('12');
    const resumed = await store.resume(uuid);
    expect(await resumed.journal.append(says('user', '3'))).toBe(3);
    await resumed.journal.finish(outcome);
    await store.finish(uuid);
    expect(await readContext(join(directory.path, 'completed', uuid))).toBe('123');
  });

  it('removes what was half written when the process died, and nothing else [RL-9]', async () => {
    const uuid = randomUUID();
    await createStore().open(newRun(uuid));
    const run = join(directory.path, 'running', uuid);
    for (const name of ['task_state.json.tmp', 'current.jsonl.tmp', 'notes.tmp']) {
      await writeFile(join(run, name), '{"half":');
    }
    await createStore().restore(uuid);
    expect((await readdir(run)).filter((name) => name.endsWith('.tmp'))).toEqual(['notes.tmp']);
  });

  it('moves a run that ended to completed, as often as it is asked', async () => {
    const uuid = randomUUID();
    const store = createStore();
    await store.open(newRun(uuid));
    await store.finish(uuid);
    await store.finish(uuid);
    expect(await readdir(join(directory.path, 'completed'))).toEqual([uuid]);
    expect((await store.listInterrupted()).runs).toEqual([]);
    await expect(store.open(newRun(uuid))).rejects.toMatchObject({ code: 'invalid' });
    await expect(store.restore(uuid)).rejects.toMatchObject({ code: 'invalid' });
    await expect(store.finish(randomUUID())).rejects.toMatchObject({ code: 'invalid' });
  });

  it('finds nothing where nothing has ever run', async () => {
    expect(await createStore().listInterrupted()).toEqual({ runs: [], damaged: [], pausing: [] });
    expect(await createStore().listPaused()).toEqual({ runs: [], damaged: [] });
  });

  it('removes what a crash left half made, and reports and leaves what is damaged', async () => {
    const running = join(directory.path, 'running');
    const [empty, foreign, broken, linked, whole] = Array.from({ length: 5 }, () => randomUUID());
    const store = createStore();
    await store.open(newRun(String(foreign)));
    await rename(join(running, String(foreign)), join(running, String(empty)));
    await store.open(newRun(String(broken)));
    for (const file of ['metadata.json', 'messages.jsonl'])
      await writeFile(join(running, String(broken), file), '{"uuid":');
    await store.open(newRun(String(whole)));
    await symlink(join(running, String(whole)), join(running, String(linked)));
    await mkdir(join(running, `.new-${randomUUID()}`));
    await writeFile(join(running, 'notes.txt'), 'mine');
    const { runs, damaged } = await store.listInterrupted();
    expect(runs.map(({ uuid }) => uuid)).toEqual([whole]);
    expect(damaged.map(({ name }) => name)).toEqual([empty, broken, linked, 'notes.txt'].toSorted());
    expect((await readdir(running)).sort()).toEqual([empty, broken, linked, whole, 'notes.txt'].toSorted());
    await expect(store.restore(String(linked))).rejects.toMatchObject({ code: 'damaged' });
    await expect(store.finish(String(linked))).rejects.toMatchObject({ code: 'damaged' });
  });

  it.each(['../../etc', 'a/b', '', 'x', '00000000-0000-0000-0000-00000000000Z', '.new-x'])(
    'refuses %j as the name of a run',
    async (uuid) => {
      const store = createStore();
      const pause = { lastError: null, planningState: null };
      const attempts = [
        store.open(newRun(uuid)),
        ...[store.restore, store.finish, store.resume].map((attempt) => attempt(uuid)),
        ...[store.pause, store.commitPause].map((attempt) => attempt(uuid, pause)),
      ];
      const refused = attempts.map((attempt) => expect(attempt).rejects.toMatchObject({ code: 'invalid' }));
      await Promise.all(refused);
      expect(await readdir(directory.path)).toEqual([]);
    },
  );

  it('says what to do when the directory cannot be written', async () => {
    const file = join(directory.path, 'file');
    await writeFile(file, '');
    const store = createFileRunStore({ baseDirectory: file, parseMessage });
    await expect(store.open(newRun(randomUUID()))).rejects.toMatchObject({
      code: 'storage-failed',
      message: expect.stringContaining('check that the directory exists'),
    });
  });

  it('tells after which write it is, so that a test can stop the process there', async () => {
    const writes: string[] = [];
    const afterSync = ({ file }: { file: string }) => void writes.push(file);
    const uuid = randomUUID();
    const store = createFileRunStore({ baseDirectory: directory.path, parseMessage, afterSync });
    const { journal } = await store.open(newRun(uuid));
    await journal.append(says('user', 'hello'));
    await journal.append({ type: 'tool-started', toolCallId: 'c1', tool: 'read', args: {} });
    await journal.finish(outcome);
    await store.finish(uuid);
    expect(writes).toEqual([
      ...['running', 'messages.jsonl', 'messages.jsonl'],
      ...['messages.jsonl', 'outcome.json', 'completed'],
    ]);
  });
});
