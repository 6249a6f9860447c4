import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useDirectory } from '../../test/use-directory.ts';
import { indexedRun, openHouse, task } from '../testing/index-setup.ts';
import { createLog } from '../testing/store-setup.ts';
import { createFileTaskIndex } from './file-task-index.ts';

const directory = useDirectory();

const createIndex = () => createFileTaskIndex({ baseDirectory: directory.path });

describe('createFileTaskIndex', () => {
  it('keeps the runs of a task in one small file, with the columns of the seeds [CI-21, CI-22]', async () => {
    const run = indexedRun({ inheritedFromUuid: randomUUID(), inheritanceDepth: 2, errorMessage: 'x' });
    await createIndex().put(run);
    const { recordPath } = openHouse(directory.path);
    const text = await readFile(recordPath, 'utf8');
    expect(JSON.parse(text)).toEqual({
      version: 1,
      task_key_hash: task.taskKeyHash,
      runs: [
        {
          uuid: run.uuid,
          host: 'github.com',
          task_key: { type: 'github_issue', owner: 'octo', repo: 'cat', number: 42 },
          task_key_text: 'github_issue:octo:cat:42',
          status: 'completed',
          status_inferred: false,
          created_at: '2026-03-01T12:00:00.000Z',
          completed_at: '2026-03-01T12:30:00.000Z',
          process_id: 7,
          hostname: 'box',
          user: 'mona',
          llm_provider: 'openai',
          model: 'a-model',
          context_length: 128_000,
          llm_call_count: 1,
          tool_call_count: 2,
          total_tokens: 7,
          compression_count: 1,
          error_message: 'x',
          inherited_from_uuid: run.inheritedFromUuid,
          inheritance_depth: 2,
          inheritance_barrier_at: null,
          final_summary: { id: 1, summary: 'Fixed.' },
        },
      ],
    });
    expect(text).not.toMatch(/\n| {2}/);
    expect(await createIndex().find(task)).toEqual([run]);
    expect(await readdir(join(directory.path, 'index', 'making'))).toEqual([]);
  });

  it('finds nothing for a task that never ran, without making a file [CI-59, C18]', async () => {
    expect(await createIndex().find(task)).toEqual([]);
    expect(await readdir(directory.path)).toEqual([]);
  });

  it('gives the runs of the one task and the one host, and no others [CI-2, CI-54, CI-55, C7]', async () => {
    const index = createIndex();
    const [ours, elsewhere] = [indexedRun(), indexedRun({ host: 'github.example' })];
    await index.put(ours);
    await index.put(elsewhere);
    await index.put(indexedRun({ taskKeyHash: 'a'.repeat(64) }));
    expect(await index.find(task)).toEqual([ours]);
    expect(await index.find({ ...task, host: 'github.example' })).toEqual([elsewhere]);
    await index.remove(task, elsewhere.uuid);
    expect(await index.find({ ...task, host: 'github.example' })).toEqual([elsewhere]);
  });

  it('forgets a run when it is told so, and the file with the last one [CI-48]', async () => {
    const index = createIndex();
    const [one, other] = [indexedRun(), indexedRun({ completedAt: '2026-03-02T00:00:00.000Z' })];
    await index.put(one);
    await index.put(other);
    await index.remove(task, other.uuid);
    await index.remove(task, other.uuid);
    expect((await createIndex().find(task)).map(({ uuid }) => uuid)).toEqual([one.uuid]);
    await index.remove(task, one.uuid);
    expect(await index.find(task)).toEqual([]);
    expect(await readdir(dirname(openHouse(directory.path).recordPath))).toEqual([]);
  });

  it('loses no update of many at the same time, from two indexes of one directory [CI-59]', async () => {
    const hashes = Array.from({ length: 10 }, (_, number) => String(number).repeat(64));
    const [one, other] = [createIndex(), createIndex()];
    const puts = [one, other].flatMap((index) =>
      Array.from({ length: 200 }, (_, number) =>
        index.put(indexedRun({ taskKeyHash: hashes[number % hashes.length] ?? '' })),
      ),
    );
    await Promise.all(puts);
    const found = await Promise.all(
      hashes.map((taskKeyHash) => createIndex().find({ ...task, taskKeyHash })),
    );
    expect(new Set(found.flat().map(({ uuid }) => uuid)).size).toBe(400);
  });

  it('answers from memory until the file changes, whoever changed it [CI-60, C19]', async () => {
    const [index, other] = [createIndex(), createIndex()];
    const run = indexedRun();
    await index.put(run);
    const [before] = [await index.find(task), await index.find(task)];
    expect(before).toEqual([run]);
    await other.put(indexedRun({ uuid: run.uuid, status: 'stopped' }));
    expect((await index.find(task)).map(({ status }) => status)).toEqual(['stopped']);
    await rm(openHouse(directory.path).recordPath);
    expect(await index.find(task)).toEqual([]);
  });

  it.each([
    ['half of a file', '{"version":1,"task_key_hash":"35'],
    ['an empty file', ''],
    ['a file that somebody changed by hand', '{"version":1,"task_key_hash":"35","runs":[{"uuid":"../.."}]}'],
    ['the file of another task', JSON.stringify({ version: 1, task_key_hash: 'a'.repeat(64), runs: [] })],
    ['a file of another program', '[]'],
  ])('moves %s aside, says so, and builds it anew from the runs [CI-53, CI-70, C18]', async (_, text) => {
    const house = openHouse(directory.path);
    const uuid = await house.endRun();
    const before = await house.index.find(task);
    await writeFile(house.recordPath, text);
    expect(await house.index.find(task)).toEqual(before);
    expect(before.map((run) => run.uuid)).toEqual([uuid]);
    const names = await readdir(dirname(house.recordPath));
    expect(names.sort()).toEqual([
      `${task.taskKeyHash}.json`,
      `${task.taskKeyHash}.json.corrupt-2026-03-01T12-30-00.000Z`,
    ]);
    expect(await readFile(join(dirname(house.recordPath), names[1] ?? ''), 'utf8')).toBe(text);
    expect(house.log).toContain('rebuilding damaged index file');
  });

  it('builds a record anew where a directory stands in its place [CI-53]', async () => {
    const house = openHouse(directory.path);
    const uuid = await house.endRun();
    await rm(house.recordPath);
    await mkdir(house.recordPath);
    expect((await house.index.find(task)).map((run) => run.uuid)).toEqual([uuid]);
    expect((await readdir(dirname(house.recordPath))).length).toBe(2);
  });

  it('changes nothing for whoever only looks, and answers all the same [CI-53]', async () => {
    const house = openHouse(directory.path);
    const uuid = await house.endRun();
    await writeFile(house.recordPath, '{');
    const looking = createFileTaskIndex({ baseDirectory: directory.path, readOnly: true });
    expect((await looking.find(task)).map((run) => run.uuid)).toEqual([uuid]);
    expect(await readFile(house.recordPath, 'utf8')).toBe('{');
  });

  it('tries a disk that fails three times more, then says so instead of "no history" [CI-52, C18]', async () => {
    const { recordPath } = openHouse(directory.path);
    await mkdir(dirname(recordPath), { recursive: true });
    // Reading a process's memory at its beginning is EIO.
    await symlink('/proc/self/mem', recordPath);
    const delays: number[] = [];
    const sleep = async (delayMs: number) => void delays.push(delayMs);
    const index = createFileTaskIndex({ baseDirectory: directory.path, sleep });
    await expect(index.find(task)).rejects.toMatchObject({ code: 'storage-failed' });
    expect(delays).toEqual([100, 200, 400]);
  });

  it('says how many runs it found, in the log [CI-68]', async () => {
    const { logger, messages } = createLog();
    await createFileTaskIndex({ baseDirectory: directory.path, logger }).find(task);
    expect(messages).toEqual(['looked up earlier runs']);
  });

  it.each(['', '../../etc', 'A'.repeat(64), 'a'.repeat(63)])(
    'refuses %j as a hash [CI-54]',
    async (taskKeyHash) => {
      const index = createIndex();
      await expect(index.find({ ...task, taskKeyHash })).rejects.toMatchObject({ code: 'invalid' });
      await expect(index.put(indexedRun({ taskKeyHash }))).rejects.toMatchObject({ code: 'invalid' });
      expect(await readdir(directory.path)).toEqual([]);
    },
  );

  it('refuses a run that it could not read back [CI-53]', async () => {
    const index = createIndex();
    await expect(index.put(indexedRun({ uuid: '../x' }))).rejects.toMatchObject({ code: 'invalid' });
    await expect(index.put(indexedRun({ inheritanceDepth: -1 }))).rejects.toMatchObject({ code: 'invalid' });
  });
});
