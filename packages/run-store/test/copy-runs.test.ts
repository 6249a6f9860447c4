import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFileStorage } from '../src/file/index.ts';
import { requireNotMoved } from '../src/index.ts';
import { copyRuns } from '../src/migration/index.ts';
import { createPostgresStorage } from '../src/postgres/index.ts';
import type { RunStorage } from '../src/storage.ts';
import {
  calls,
  end,
  gives,
  makeDirectory,
  newRun,
  parseMessage,
  says,
  toArray,
} from '../src/testing/store-setup.ts';
import { openTestPglite } from './test-databases.ts';

const uuids = [1, 2, 3, 4].map((digit) => `${digit}0000000-0000-4000-8000-000000000001`);
const [running = '', paused = '', completed = '', other = ''] = uuids;
const pause = { lastError: null, planningState: null };
const open: (() => Promise<void>)[] = [];

async function openFiles(): Promise<RunStorage> {
  const { path, remove } = await makeDirectory();
  open.push(remove);
  return createFileStorage({ baseDirectory: path });
}

async function openDatabase(): Promise<RunStorage> {
  const database = await openTestPglite();
  const storage = createPostgresStorage({ database, schema: `s${randomUUID().replaceAll('-', '')}` });
  open.push(storage.close);
  return storage;
}

async function asOwner(storage: RunStorage, work: (store: ReturnType<typeof openStore>) => Promise<unknown>) {
  const owner = await storage.members.acquire();
  await work(openStore(storage, owner));
  await owner.release();
}

const openStore = (storage: RunStorage, owner: Awaited<ReturnType<RunStorage['members']['acquire']>>) =>
  storage.openStore({ owner, parseMessage });

/** Keeps a run at work, a paused one and one that ended, with all that is kept beside them. */
async function fill(storage: RunStorage): Promise<void> {
  await asOwner(storage, async (store) => {
    for (const uuid of [running, paused, completed]) {
      const { journal, state } = await store.open(newRun(uuid));
      await journal.append(says('user', `Mend “it” of ${uuid}, 日本語\u2028.`));
      await journal.append(calls('a'));
      await journal.append(gives('a'));
      await state.write('plan/steps.json', { steps: ['one', null] });
      await state.write('heard.json', [1], { sync: false });
      await state.write('note', 'as text', { sync: false });
      if (uuid === completed) await journal.finish(end);
    }
    await store.finish(completed);
    await store.pause(paused, pause);
  });
  await storage.notes.write('conditions', [{ part: 'model' }]);
  await storage.notes.write('mentions/5f3a', { seen: 3 });
  await storage.controls.request(running, 'stop');
  await storage.pauseSignal.set();
}

/** Everything that a place says, without where it is. */
async function readAll(storage: RunStorage) {
  const reader = storage.openReader({ parseMessage });
  const runs = [];
  for (const uuid of [...(await reader.listKept())].sort()) {
    const { location, state, history, ...run } = await reader.readRun(uuid);
    const names = ['plan/steps.json', 'heard.json', 'note', 'never.json'];
    const values = await Promise.all(names.map(state.read));
    runs.push({
      ...run,
      values,
      history: await toArray(history()),
      asked: await storage.controls.read(uuid),
    });
  }
  const { taskKeyHash = '', host = '' } = runs[0]?.metadata ?? {};
  return {
    runs,
    overview: await reader.readOverview({ recent: 10 }),
    indexed: await storage.index.find({ taskKeyHash, host }),
    lines: await storage.lines.readLast(completed, { tools: { limit: 9 }, summaries: { limit: 9 } }),
    notes: [await storage.notes.read('conditions'), await storage.notes.read('mentions/5f3a')],
    isPaused: await storage.pauseSignal.isSet(),
  };
}

describe('what is kept in one place is copied to another', () => {
  beforeAll(() => openTestPglite().then(() => undefined));
  afterAll(async () => {
    for (const close of open) await close();
  });

  it('reads alike in files, in a database, and in files again', async () => {
    const [files, database, back] = [await openFiles(), await openDatabase(), await openFiles()];
    await fill(files);
    const before = await readAll(files);
    expect(await copyRuns({ from: files, to: database })).toEqual({
      ...{ copied: 3, there: 0, left: [], notes: 2, withoutSnapshot: 0, accounts: 0 },
    });
    expect(await readAll(database)).toEqual(before);
    await copyRuns({ from: database, to: back });
    expect(await readAll(back)).toEqual(before);
    expect(await readAll(files)).toEqual(before);
  });

  it.each([
    ['is empty', (path: string) => writeFile(path, '')],
    ['is missing', (path: string) => rm(path)],
  ])('is copied with what lies beside a record that %s', async (_, harm) => {
    const { path, remove } = await makeDirectory();
    open.push(remove);
    const [files, database, back] = [
      createFileStorage({ baseDirectory: path }),
      await openDatabase(),
      await openFiles(),
    ];
    await fill(files);
    await harm(join(path, 'completed', completed, 'messages.jsonl'));
    expect(await copyRuns({ from: files, to: database })).toMatchObject({ copied: 3, left: [] });
    expect(await copyRuns({ from: files, to: back })).toMatchObject({ copied: 3, left: [] });
    for (const storage of [database, back]) {
      const { metadata, state } = await storage.openReader({ parseMessage }).readRun(completed);
      expect(metadata.uuid).toBe(completed);
      expect(await state.read('plan/steps.json')).toEqual({ steps: ['one', null] });
    }
  });

  it('goes on after the copy, and comes back with what came since', async () => {
    const [files, database] = [await openFiles(), await openDatabase()];
    await fill(files);
    await copyRuns({ from: files, to: database });
    await database.pauseSignal.clear();
    await database.controls.remove(running, ['stop']);
    await database.notes.write('mentions/5f3a', null);
    await database.notes.write('conditions', []);
    await asOwner(database, async (store) => {
      const { journal } = await store.restore(running);
      await journal.append(says('assistant', 'Done.'));
      await journal.finish(end);
      await store.finish(running);
      const resumed = await store.resume(paused);
      await resumed.journal.append(says('assistant', 'More.'));
    });
    const later = await readAll(database);
    // What the database has is newer: a copy that is repeated sets nothing back.
    expect(await copyRuns({ from: files, to: database })).toMatchObject({ copied: 0, there: 3, left: [] });
    const { notes, ...rest } = later;
    expect(await readAll(database)).toMatchObject(rest);
    await database.notes.write('mentions/5f3a', null);
    expect(await copyRuns({ from: database, to: files })).toMatchObject({ copied: 2, there: 1, left: [] });
    expect(await readAll(files)).toMatchObject({ ...rest, overview: { damaged: [] }, notes });
  });

  it('knows what was spent, there and back, however often it is repeated [NX-234]', async () => {
    const [files, database] = [await openFiles(), await openDatabase()];
    const accounts = [
      { name: 'thread:github.com x', limitMicros: null },
      { name: 'day:2026-01-02', limitMicros: null },
    ];
    const spend = async (storage: RunStorage, micros: number, isSettled = true) => {
      const owner = await storage.members.acquire();
      const ledger = storage.openSpending({ owner });
      const id = randomUUID();
      await ledger.reserve({ id, micros, accounts });
      if (isSettled) await ledger.settle(id, { micros, isPresumed: false });
      await owner.release();
    };
    const readSpent = async (storage: RunStorage) => {
      const all = await storage.accounts?.list(accounts.map(({ name }) => name));
      return new Set(all?.map((one) => [one.spentMicros, one.presumedMicros, one.reservedMicros].join(' ')));
    };
    await spend(files, 40);
    // Of a process that died in its call: it may have been billed.
    await spend(files, 7, false);
    expect(await readSpent(files)).toEqual(new Set(['40 0 7']));
    for (let time = 0; time < 2; time += 1)
      expect(await copyRuns({ from: files, to: database })).toMatchObject({ accounts: 2 });
    expect(await readSpent(database)).toEqual(new Set(['47 7 0']));
    await spend(database, 3);
    await copyRuns({ from: files, to: database });
    expect(await readSpent(database)).toEqual(new Set(['50 7 0']));
    await copyRuns({ from: database, to: files });
    await spend(files, 1);
    expect(await readSpent(files)).toEqual(new Set(['51 7 0']));
    const [listed] = (await files.accounts?.list()) ?? [];
    const [copied] = (await database.accounts?.list([listed?.name ?? ''])) ?? [];
    expect(Math.abs((listed?.usedAt ?? 0) - (copied?.usedAt ?? 0))).toBeLessThan(3_600_000);
  });

  it.each([
    { survived: 0, into: 'a database', openTarget: openDatabase },
    { survived: 1, into: 'a database', openTarget: openDatabase },
    { survived: 2, into: 'a database', openTarget: openDatabase },
    { survived: 0, into: 'files', openTarget: openFiles },
    { survived: 2, into: 'files', openTarget: openFiles },
  ])('is begun again after it died at run $survived into $into, and ends the same', async (given) => {
    const { survived, openTarget } = given;
    const [files, target] = [await openFiles(), await openTarget()];
    await fill(files);
    const { transfer } = target;
    if (transfer === undefined) throw new Error('this place can be copied to');
    let written = 0;
    const dying = {
      ...target,
      transfer: {
        ...transfer,
        writeRun: (run: Parameters<typeof transfer.writeRun>[0]) => {
          written += 1;
          if (written <= survived) return transfer.writeRun(run);
          const readChain = async function* () {
            for await (const lines of run.readChain()) yield lines.slice(0, 1);
            throw new Error('died');
          };
          return transfer.writeRun({ ...run, readChain });
        },
      },
    };
    await expect(copyRuns({ from: files, to: dying })).rejects.toThrow(/died|Could not write run/);
    expect((await transfer.listRuns()).size).toBe(survived);
    expect(await copyRuns({ from: files, to: target })).toMatchObject({ copied: 3 - survived, left: [] });
    expect(await readAll(target)).toEqual(await readAll(files));
  });

  it('is at the new place from then on: whoever would go on at the old one is told where, until it comes back [NX-161]', async () => {
    const [files, database] = [await openFiles(), await openDatabase()];
    await fill(files);
    await requireNotMoved(files);
    await copyRuns({ from: files, to: database });
    await expect(requireNotMoved(files)).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining(`were copied to ${database.location} at `),
    });
    await requireNotMoved(database);
    await copyRuns({ from: database, to: files });
    await requireNotMoved(files);
    await expect(requireNotMoved(database)).rejects.toMatchObject({
      message: expect.stringContaining('storage migrate'),
    });
  });

  it('is refused while a process works at one of the places', async () => {
    const [files, database] = [await openFiles(), await openDatabase()];
    for (const busy of [files, database]) {
      const owner = await busy.members.acquire();
      await expect(copyRuns({ from: files, to: database })).rejects.toMatchObject({ code: 'owned' });
      await owner.release();
    }
  });

  it('leaves a run that went on at both places, and says so', async () => {
    const [files, database] = [await openFiles(), await openDatabase()];
    await fill(files);
    await copyRuns({ from: files, to: database });
    for (const place of [files, database])
      await asOwner(place, async (store) => {
        const { journal } = await store.restore(running);
        await journal.append(says('assistant', `Here is ${place.location}.`));
        await store.open(newRun(other)).catch(() => undefined);
      });
    const { left } = await copyRuns({ from: files, to: database });
    expect(left.map(({ name }) => name)).toContain(running);
    expect(left[0]?.reason).toMatch(/continued in both places/);
  });
});
