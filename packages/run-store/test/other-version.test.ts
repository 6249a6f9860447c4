import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createFileStorage } from '../src/file/file-storage.ts';
import { createFileTaskIndex } from '../src/index/file-task-index.ts';
import { formatFact, sealLine } from '../src/lines/record-line.ts';
import { migrateRuns } from '../src/migration/index.ts';
import { acquireOwnership } from '../src/ownership/acquire-ownership.ts';
import { readOwner } from '../src/ownership/read-owner.ts';
import { createPostgresStorage } from '../src/postgres/postgres-storage.ts';
import { openHouse, task } from '../src/testing/index-setup.ts';
import { makeDirectory, newRun, parseMessage, says, toArray } from '../src/testing/store-setup.ts';
import { openTestPglite } from './test-databases.ts';
import { useDirectory } from './use-directory.ts';

const running = '10000000-0000-4000-8000-000000000001';
const paused = '20000000-0000-4000-8000-000000000002';
const ended = '30000000-0000-4000-8000-000000000003';

const directory = useDirectory();
beforeEach(async () => {
  const house = openHouse(directory.path);
  const { journal } = await house.store.open(newRun(running));
  await journal.append(says('user', 'Fix it.'));
  await house.store.open(newRun(paused));
  await house.store.pause(paused, { lastError: null, planningState: null });
  await house.endRun({ uuid: ended });
  await house.index.heal();
  await (await acquireOwnership({ baseDirectory: directory.path })).release();
});

/** The text of every file, by path. */
async function readAll(): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(directory.path, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const texts = await Promise.all(paths.map(async (path) => [path, await readFile(path, 'utf8')] as const));
  return Object.fromEntries(texts.toSorted());
}

/** The first line of a record in a version, in order; without one where it is undefined. */
async function formatRecord(place: string, version: number | undefined): Promise<string> {
  const [line = ''] = (await readFile(join(directory.path, place, 'messages.jsonl'), 'utf8')).split('\n');
  const { data, timestamp } = JSON.parse(line);
  const body = formatFact({ name: 'opened', data: { ...data, version }, timestamp });
  return sealLine(body, { previous: '', owner: null }).bytes.toString();
}

const openStore = () => openHouse(directory.path).store;
const openReader = () => createFileStorage({ baseDirectory: directory.path }).openReader({ parseMessage });
const recordOf = (place: string, uuid: string) => ({
  file: join(place, uuid, 'messages.jsonl'),
  format: (version: number | undefined) => formatRecord(join(place, uuid), version),
});
const json = async (file: string, version: number | undefined) => {
  const value = JSON.parse(await readFile(join(directory.path, file), 'utf8'));
  return `${JSON.stringify({ ...value, version })}\n`;
};
const fileOf = (file: string) => ({ file, format: (version: number | undefined) => json(file, version) });

interface Kind {
  readonly name: string;
  /** File of the record, and its text in another version. */
  readonly of: () => Promise<{
    readonly file: string;
    readonly format: (version: number | undefined) => Promise<string>;
  }>;
  /** All that would read or write it. */
  readonly attempts: readonly (() => Promise<unknown>)[];
}

const kinds: readonly Kind[] = [
  {
    name: 'the record of a run at work',
    of: async () => recordOf('running', running),
    attempts: [
      () => openStore().restore(running),
      () => openStore().finish(running),
      () => openStore().pause(running, { lastError: null, planningState: null }),
      () => openReader().readRun(running),
    ],
  },
  {
    name: 'the record of a paused run',
    of: async () => recordOf('paused', paused),
    attempts: [() => openStore().resume(paused)],
  },
  {
    name: 'the record of an ended run',
    of: async () => recordOf('completed', ended),
    attempts: [
      async () => toArray((await openReader().readRun(ended)).history()),
      async () => (await openStore().openEnded(ended)).finalSummary.read(),
    ],
  },
  {
    name: 'the lock of a directory',
    of: async () => fileOf('lock.json'),
    attempts: [() => acquireOwnership({ baseDirectory: directory.path }), () => readOwner(directory.path)],
  },
];

const versions: readonly (readonly [version: number | undefined, found: string])[] = [
  [7, 'version 7'],
  [undefined, 'no version'],
];

describe.each(kinds)('$name', ({ of, attempts }) => {
  it.each(versions)(
    'of version %s is refused with one sentence, and left as it is [NX-420]',
    async (version, found) => {
      const { file, format } = await of();
      await writeFile(join(directory.path, file), await format(version));
      const before = await readAll();
      for (const attempt of attempts) {
        const error: unknown = await attempt().then(
          () => null,
          (reason: unknown) => reason,
        );
        expect(error).toMatchObject({ code: 'other-version' });
        const { message } = error as Error;
        expect(message).toContain(
          `has ${found}, and this program reads version 1 only: use the release that wrote it, or move it away.`,
        );
        expect(message).toMatch(/^("[^"]+"|The record of run \S+) has /);
      }
      const after = await readAll();
      // A lock file shows life by its time, and holds nothing.
      const isKept = ([path]: readonly [string, string]) => !path.endsWith('lock.held');
      expect(Object.entries(after).filter(isKept)).toEqual(Object.entries(before).filter(isKept));
    },
  );
});

it.each([
  ['7', '{"version":7}\n'],
  ['none, because it was cut', ''],
])('An index whose version is %s is made again from the runs [NX-420]', async (_, text) => {
  const index = join(directory.path, 'index');
  const files = (await readdir(index, { recursive: true })).filter((name) => name.endsWith('.json'));
  expect(files).toHaveLength(2);
  for (const file of files) await writeFile(join(index, file), text);
  const open = () => createFileTaskIndex({ baseDirectory: directory.path });
  await open().heal();
  expect((await open().find(task)).map(({ uuid }) => uuid)).toContain(ended);
  expect(await open().heal()).toBe(0);
});

it('A run of another version is reported, and hides no other run [NX-420]', async () => {
  const { file, format } = recordOf('running', running);
  await writeFile(join(directory.path, file), await format(7));
  const other = recordOf('paused', paused);
  await writeFile(join(directory.path, other.file), await other.format(7));
  const { runs, damaged } = await openStore().listInterrupted();
  expect(runs).toEqual([]);
  expect(damaged).toEqual([{ name: running, reason: expect.stringContaining('has version 7') }]);
  const resting = await openStore().listPaused();
  expect(resting).toEqual({
    runs: [],
    damaged: [{ name: paused, reason: expect.stringContaining('has version 7') }],
  });
  expect((await openReader().readOverview({ recent: 9 })).recent).toHaveLength(1);
});

it('A run whose record is lost is refused if its metadata.json has another version [NX-420]', async () => {
  const place = join(directory.path, 'running', running);
  await writeFile(join(place, 'metadata.json'), await json(join('running', running, 'metadata.json'), 7));
  await writeFile(join(place, 'messages.jsonl'), '');
  const before = await readAll();
  await expect(openStore().restore(running)).rejects.toMatchObject({
    code: 'other-version',
    message: expect.stringContaining('metadata.json" has version 7'),
  });
  expect(await readAll()).toEqual(before);
});

it('The migration leaves a run of another version as it is, and says why [NX-420]', async () => {
  const file = join('completed', ended, 'metadata.json');
  await writeFile(join(directory.path, file), await json(file, 7));
  const before = await readAll();
  const toTask = () => ({ taskKey: {}, taskKeyText: '', host: '' });
  const found = await toArray(migrateRuns({ baseDirectory: directory.path, toTask, apply: true }));
  expect(found.find(({ uuid }) => uuid === ended)).toMatchObject({
    kind: 'left',
    reason: expect.stringContaining('metadata.json" has version 7'),
  });
  expect(await readAll()).toEqual(before);
});

it('A copy leaves a directory of another version alone [NX-420]', async () => {
  const copy = await makeDirectory();
  await cp(directory.path, copy.path, { recursive: true });
  const lock = join(copy.path, 'lock.json');
  await writeFile(lock, await json('lock.json', 7));
  const storage = createFileStorage({ baseDirectory: copy.path });
  await expect(storage.members.list()).rejects.toMatchObject({ code: 'other-version' });
  await copy.remove();
});

it('The rows of a run of another version are refused, and left as they are [NX-420]', async () => {
  const database = await openTestPglite();
  const storage = createPostgresStorage({ database, schema: 'versions' });
  const store = storage.openStore({ owner: await storage.members.acquire(), parseMessage });
  const { journal, leave } = await store.open(newRun(running));
  await journal.append(says('user', 'Fix it.'));
  await leave();
  const text = await formatRecord(join('running', running), 7);
  const values = [text.trimEnd(), running];
  await database.query('UPDATE versions.lines SET body = $1 WHERE uuid = $2 AND line = 1', values);
  const readRows = () => database.query('SELECT * FROM versions.lines ORDER BY line');
  const before = await readRows();
  const refused = {
    code: 'other-version',
    message: expect.stringContaining(`The record of run ${running} has version 7`),
  };
  await expect(storage.openReader({ parseMessage }).readRun(running)).rejects.toMatchObject(refused);
  await expect(store.restore(running)).rejects.toMatchObject(refused);
  expect(await readRows()).toEqual(before);
  await storage.close();
});
