import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useDirectory } from '../../test/use-directory.ts';
import { hashTaskKey } from '../storage-names.ts';
import { indexedRun, openHouse, task } from '../testing/index-setup.ts';
import { newRun } from '../testing/store-setup.ts';

const directory = useDirectory();

const other = { taskKeyText: 'gitlab_issue:7:3', host: 'gitlab.example' };
const otherTask = { taskKeyHash: hashTaskKey(other.taskKeyText), host: other.host };
const indexDirectory = () => join(directory.path, 'index');

/** Every file of the index with its text, but those in the making. */
async function readIndex() {
  const entries = await readdir(indexDirectory(), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = files.toSorted().map(async (path) => [path, await readFile(path, 'utf8')] as const);
  const sorted = (await Promise.all(texts)).map(([path, text]) => [path, text.split('\n').toSorted()]);
  return Object.fromEntries(sorted);
}

describe('the upkeep of the index', () => {
  it('builds an index that was deleted by hand as it was, and as often as it is asked [CI-64]', async () => {
    const house = openHouse(directory.path);
    await house.index.heal();
    await house.endRun();
    await house.endRun();
    await house.endRun(other);
    const before = await readIndex();
    await rm(indexDirectory(), { recursive: true });
    const later = openHouse(directory.path);
    expect(await later.index.heal()).toBe(3);
    expect(await readIndex()).toEqual(before);
    expect(await later.index.rebuild()).toBe(3);
    expect(await later.index.heal()).toBe(0);
    expect(await readIndex()).toEqual(before);
    expect(await later.index.find(task)).toHaveLength(2);
    expect(await later.index.find(otherTask)).toHaveLength(1);
  });

  it('goes on with a building that a crash cut short', async () => {
    const house = openHouse(directory.path);
    await house.endRun();
    await house.endRun(other);
    await house.index.rebuild();
    const before = await readIndex();
    // What is left when the process dies after the first task.
    await rm(join(indexDirectory(), 'built.json'));
    await rm(house.recordPath);
    await rm(join(indexDirectory(), 'expiry'), { recursive: true });
    await openHouse(directory.path).index.heal();
    expect(await readIndex()).toEqual(before);
  });

  it('adds the runs that ended last and are missing, without looking at the others [CI-64]', async () => {
    const house = openHouse(directory.path);
    await house.index.heal();
    const [kept, lost] = [await house.endRun(), await house.endRun(other)];
    await rm(join(indexDirectory(), otherTask.taskKeyHash.slice(0, 2)), { recursive: true });
    // A directory that no line of recent.jsonl names stays out until the index is built anew.
    const unnamed = randomUUID();
    await house.endRun({ uuid: unnamed, taskKeyText: 'github_issue:octo:cat:1' });
    const recent = join(directory.path, 'recent.jsonl');
    const lines = (await readFile(recent, 'utf8')).split('\n').filter((line) => !line.includes(unnamed));
    await writeFile(recent, ['{"broken":1}', ...lines].join('\n'));
    await rm(join(indexDirectory(), hashTaskKey('github_issue:octo:cat:1').slice(0, 2)), { recursive: true });
    const later = openHouse(directory.path);
    expect(await later.index.heal()).toBe(1);
    expect(await later.index.heal()).toBe(0);
    expect((await later.index.find(otherTask)).map(({ uuid }) => uuid)).toEqual([lost]);
    expect((await later.index.find(task)).map(({ uuid }) => uuid)).toEqual([kept]);
    expect(await later.index.rebuild()).toBe(3);
  });

  it('keeps runs that have not ended out of the index, and takes those that only were not moved [CI-4, CI-14]', async () => {
    const house = openHouse(directory.path);
    const [running, paused, ended] = [randomUUID(), randomUUID(), randomUUID()];
    await house.store.open(newRun(running));
    await house.store.open(newRun(paused));
    await house.store.pause(paused, { lastError: null, planningState: null });
    await house.endRun({ uuid: ended });
    await rename(join(directory.path, 'completed', ended), join(directory.path, 'running', ended));
    await rm(indexDirectory(), { recursive: true });
    expect(await house.index.rebuild()).toBe(1);
    expect((await house.index.find(task)).map(({ uuid }) => uuid)).toEqual([ended]);
  });

  it('concludes from the summaries how a run ended that was put away without an outcome [CI-64]', async () => {
    const house = openHouse(directory.path);
    const [summed, silent, torn] = [await house.endRun(), await house.endRun(), await house.endRun()];
    const toPath = (uuid: string, file: string) => join(directory.path, 'completed', uuid, file);
    for (const uuid of [summed, silent]) {
      // Its record is lost, and nothing but the files beside it says how it ended.
      await rm(toPath(uuid, 'outcome.json'));
      await writeFile(toPath(uuid, 'messages.jsonl'), '');
    }
    await writeFile(toPath(silent, 'summaries.jsonl'), '');
    const lines = await readFile(toPath(torn, 'summaries.jsonl'), 'utf8');
    await writeFile(toPath(torn, 'summaries.jsonl'), `${lines}{"id":2,"summ`);
    await house.index.rebuild();
    const found = new Map((await house.index.find(task)).map((run) => [run.uuid, run]));
    expect(found.get(summed)).toMatchObject({
      status: 'completed',
      statusInferred: true,
      completedAt: '2026-03-01T12:30:00.000Z',
    });
    expect(found.get(silent)).toMatchObject({ status: 'failed', statusInferred: true, completedAt: null });
    expect(found.get(torn)).toMatchObject({
      status: 'completed',
      statusInferred: false,
      compressionCount: 1,
    });
  });

  it('leaves out what is damaged or has no hash, says so, and takes all others [CI-47, CI-65, CI-69]', async () => {
    const house = openHouse(directory.path);
    const [whole, broken, foreign, hashless] = [
      await house.endRun(),
      await house.endRun(),
      await house.endRun(),
      await house.endRun(),
    ];
    const toPath = (uuid: string) => join(directory.path, 'completed', uuid, 'metadata.json');
    for (const uuid of [broken, foreign, hashless])
      await writeFile(join(directory.path, 'completed', uuid, 'messages.jsonl'), '');
    const metadata = JSON.parse(await readFile(toPath(hashless), 'utf8')) as Record<string, unknown>;
    await writeFile(toPath(broken), '{"uuid":');
    await writeFile(toPath(foreign), await readFile(toPath(whole), 'utf8'));
    delete metadata.task_key_hash;
    await writeFile(toPath(hashless), JSON.stringify(metadata));
    await mkdir(join(directory.path, 'completed', 'notes'));
    await rm(indexDirectory(), { recursive: true });
    expect(await house.index.rebuild()).toBe(1);
    expect((await house.index.find(task)).map(({ uuid }) => uuid)).toEqual([whole]);
    const said = house.log.filter((text) => text === 'failed to read run; leaving it out of index');
    expect(said).toHaveLength(3);
  });

  it('forgets runs whose directories are gone, but not when the whole place is missing [CI-48, C5]', async () => {
    const house = openHouse(directory.path);
    const gone = indexedRun({ completedAt: '2026-03-03T00:00:00.000Z' });
    const uuid = await house.endRun();
    await house.index.put(gone);
    await house.index.put({ ...gone, taskKeyHash: otherTask.taskKeyHash });
    await rename(join(directory.path, 'completed'), join(directory.path, 'unmounted'));
    await house.index.rebuild();
    expect(await house.index.find(task)).toHaveLength(2);
    await rename(join(directory.path, 'unmounted'), join(directory.path, 'completed'));
    await house.index.rebuild();
    expect((await house.index.find(task)).map((run) => run.uuid)).toEqual([uuid]);
    expect(await house.index.find({ ...otherTask, host: gone.host })).toEqual([]);
  });

  it('removes what a process that died left in the making', async () => {
    const house = openHouse(directory.path);
    await house.endRun();
    const making = join(indexDirectory(), 'making');
    await writeFile(join(making, `${task.taskKeyHash}.json.1-1`), '{');
    await house.index.heal();
    await house.endRun();
    expect(await readdir(making)).toEqual([]);
  });
});
