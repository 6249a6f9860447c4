import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { useDirectory } from '../../test/use-directory.ts';
import { indexedRun, openHouse, task } from '../testing/index-setup.ts';
import { newRun } from '../testing/store-setup.ts';
import { cleanUpRuns } from './expiry-files.ts';

import { purgeTask } from './purge-task.ts';

const directory = useDirectory();
let time = 0;
let house: ReturnType<typeof openHouse>;
beforeEach(async () => {
  time = Date.parse('2026-03-01T12:30:00Z');
  house = openHouse(directory.path, { time: () => time });
});

const cleanUp = (now: string, keepDays = 90) =>
  cleanUpRuns({ baseDirectory: directory.path, ...house, now: new Date(now), keepDays });
const listCompleted = async () => (await readdir(join(directory.path, 'completed'))).sort();

describe('the files of expiry', () => {
  it('lists a day once its last moment is older than the days that runs are kept [CI-15, CI-57]', async () => {
    const { expiry } = house;
    const [early, late] = [
      indexedRun({ completedAt: '2026-03-01T00:00:00.000Z' }),
      indexedRun({ completedAt: '2026-03-01T23:59:59.999Z' }),
    ];
    for (const run of [early, late, early]) await expiry.add(run);
    await expiry.add(indexedRun({ completedAt: '2026-03-02T00:00:00.000Z' }));
    const list = (now: string) => expiry.listExpired(new Date(now), { keepDays: 90 });
    expect(await list('2026-05-30T23:59:59.999Z')).toEqual([]);
    const [day, ...others] = await list('2026-05-31T00:00:00.000Z');
    expect([day?.day, others]).toEqual(['2026-03-01', []]);
    expect(day?.runs).toEqual([early, late].map(({ uuid }) => ({ uuid, ...task })));
    await expiry.forget('2026-03-01');
    expect(await list('2026-05-31T00:00:00.000Z')).toEqual([]);
  });

  it('goes on behind a line that a crash tore, and leaves out what says nothing', async () => {
    const [one, other] = [indexedRun(), indexedRun()];
    await house.expiry.add(one);
    const path = join(directory.path, 'index', 'expiry', '2026-03-01.jsonl');
    await writeFile(path, `${await readFile(path, 'utf8')}{"uuid":"x"}\n{"uu`);
    await house.expiry.add(other);
    const [day] = await house.expiry.listExpired(new Date('2027-01-01'), { keepDays: 90 });
    expect(day?.runs.map(({ uuid }) => uuid)).toEqual([one.uuid, other.uuid]);
    expect(house.log).toContain('ignoring unreadable lines in expiry list');
  });
});

describe('cleanUpRuns', () => {
  it('removes expired runs with their place in the index, and nothing else [CI-57]', async () => {
    const old = await house.endRun();
    time += 24 * 60 * 60 * 1_000;
    const young = await house.endRun();
    expect(await cleanUp('2026-05-30T12:00:00Z')).toEqual([]);
    expect(await cleanUp('2026-05-31T00:00:00Z')).toEqual([old]);
    expect(await listCompleted()).toEqual([young]);
    expect((await house.index.find(task)).map(({ uuid }) => uuid)).toEqual([young]);
    expect(await cleanUp('2026-05-31T00:00:00Z')).toEqual([]);
    expect(await readdir(join(directory.path, 'index', 'expiry'))).toEqual(['2026-03-02.jsonl']);
  });

  it('goes on after a crash: what was half removed goes, what was removed leaves the index [CI-57]', async () => {
    const [first, second, third] = [await house.endRun(), await house.endRun(), await house.endRun()];
    const completed = join(directory.path, 'completed');
    await rename(join(completed, first), join(completed, `.removed-${first}`));
    expect((await cleanUp('2026-12-01')).toSorted()).toEqual([second, third].toSorted());
    expect(await readdir(completed)).toEqual([]);
    expect(await house.index.find(task)).toEqual([]);
  });

  it('keeps what is running or paused, whatever a list says [CI-14, CI-57]', async () => {
    const uuid = randomUUID();
    await house.store.open(newRun(uuid));
    await house.expiry.add(indexedRun({ uuid }));
    await house.expiry.add(indexedRun({ uuid: '00000000-0000-4000-8000-000000000000' }));
    expect(await cleanUp('2026-12-01')).toEqual([]);
    expect(await readdir(join(directory.path, 'running'))).toEqual([uuid]);
    expect(await house.expiry.listExpired(new Date('2026-12-01'), { keepDays: 90 })).toHaveLength(1);
  });

  it('follows no name out of its directory', async () => {
    await mkdir(join(directory.path, 'precious'));
    await mkdir(join(directory.path, 'completed'));
    await house.expiry.add({ ...indexedRun(), uuid: '../precious' });
    expect(await cleanUp('2026-12-01')).toEqual([]);
    expect(await readdir(directory.path)).toContain('precious');
  });
});

describe('purgeTask', () => {
  it('removes all that is kept of one task, wherever it is, and nothing of others [CI-54, CI-55]', async () => {
    const removed = [await house.endRun(), await house.endRun()];
    const others = [await house.endRun({ host: 'github.example' }), await house.endRun({ taskKeyText: 'x' })];
    const paused = randomUUID();
    await house.store.open(newRun(paused));
    await house.store.pause(paused, { lastError: null, planningState: null });
    await writeFile(`${house.recordPath}.corrupt-2026`, 'What was said.');
    const purge = () => purgeTask(task, { baseDirectory: directory.path, index: house.index });
    const result = await purge();
    expect([result.removed.toSorted(), result.kept]).toEqual([removed.toSorted(), [paused]]);
    expect(await listCompleted()).toEqual(others.toSorted());
    expect(await house.index.find(task)).toEqual([]);
    expect(await house.index.find({ ...task, host: 'github.example' })).toHaveLength(1);
    expect(await readdir(dirname(house.recordPath))).toEqual([`${task.taskKeyHash}.json`]);
    const recent = await readFile(join(directory.path, 'recent.jsonl'), 'utf8');
    expect(recent.match(/(?<="uuid":")[^"]*/g)).toEqual(others);
    expect(await purge()).toEqual({ removed: [], kept: [paused] });
  });

  it('removes what the index or the list of recent runs names, also where a directory no longer says whose it is [CI-54]', async () => {
    const [damaged, listed, gone] = [await house.endRun(), await house.endRun(), await house.endRun()];
    const other = await house.endRun({ taskKeyText: 'x' });
    const completed = join(directory.path, 'completed');
    for (const uuid of [damaged, listed]) await writeFile(join(completed, uuid, 'metadata.json'), '{');
    await rename(join(completed, gone), join(directory.path, gone));
    await house.index.remove(task, listed);
    const { removed } = await purgeTask(task, { baseDirectory: directory.path, index: house.index });
    expect(removed.toSorted()).toEqual([damaged, listed].toSorted());
    expect(await listCompleted()).toEqual([other]);
    const recent = await readFile(join(directory.path, 'recent.jsonl'), 'utf8');
    expect(recent.match(/(?<="uuid":")[^"]*/g)).toEqual([other]);
  });

  it('finds the runs even where the index knows nothing of them [CI-54]', async () => {
    const uuid = await house.endRun();
    await house.index.remove(task, uuid);
    expect(await purgeTask(task, { baseDirectory: directory.path, index: house.index })).toEqual({
      removed: [uuid],
      kept: [],
    });
    expect(await listCompleted()).toEqual([]);
  });
});
