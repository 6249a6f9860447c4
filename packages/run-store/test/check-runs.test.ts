import { randomUUID } from 'node:crypto';
import { appendFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createFileStorage } from '../src/file/index.ts';
import { checkRuns } from '../src/migration/index.ts';
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
import { connectTestServer } from './test-databases.ts';

const [ended, paused] = [
  '10000000-0000-4000-8000-000000000001',
  '20000000-0000-4000-8000-000000000002',
] as const;
const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** Stores one record of each kind. */
async function fill(storage: RunStorage): Promise<void> {
  const owner = await storage.members.acquire();
  await storage.index.open();
  const store = storage.openStore({ owner, parseMessage });
  for (const uuid of [ended, paused]) {
    const { journal, state, outbox } = await store.open(newRun(uuid));
    await journal.append(says('user', 'Please look.'));
    await journal.append(calls('a'));
    const call = { toolCallId: 'a', tool: 'read', args: {} };
    await journal.append({ type: 'tool-started', ...call });
    await journal.append({
      type: 'tool-finished',
      ...call,
      status: 'success',
      output: 'line 1',
      durationMs: 1,
    });
    await journal.append(gives('a'));
    await outbox.open({ id: 'label', kind: 'label', data: { name: 'done' } });
    await outbox.settle('label', { state: 'done', made: null });
    await state.write('kept.json', { step: 1 });
    await state.write('loose.json', { step: 2 }, { sync: false });
    await journal.replaceContext([], { startSeq: 1, endSeq: 1, text: 'A summary.' });
    if (uuid === ended) await journal.finish(end);
  }
  await store.finish(ended);
  await store.pause(paused, { lastError: null, planningState: null });
  await storage.notes.write('mentions/5f3a', { seen: 3 });
  await storage.controls.request(paused, 'resume', { by: 'mona' });
  await storage.snapshots?.keep(paused, { about: { commit: 'abc' }, bundle: null });
  const ledger = storage.openSpending({ owner });
  await ledger.reserve({ id: ended, micros: 5, accounts: [{ name: 'day:1', limitMicros: null }] });
  await ledger.settle(ended, { micros: 5, isPresumed: false });
  await owner.release();
}

/** Faults of everything in a storage. */
async function listFaults(storage: RunStorage): Promise<readonly string[]> {
  const runs = await toArray(checkRuns(storage));
  expect(runs.map(({ uuid, place }) => [uuid, place]).toSorted()).toEqual([
    [ended, 'completed'],
    [paused, 'paused'],
  ]);
  const { checked, faults } = await storage.upkeep.verify();
  expect(checked).toBeGreaterThan(2);
  return [...runs.flatMap((run) => run.faults), ...faults];
}

async function openFiles(): Promise<{ storage: RunStorage; path: string }> {
  const { path, remove } = await makeDirectory();
  open.push(remove);
  const storage = createFileStorage({ baseDirectory: path });
  await fill(storage);
  return { storage, path };
}

const run = `completed/${ended}`;
const replace = (from: string, to: string) => (text: string) => text.replace(from, to);
const restore = "Restore the run's directory from a copy\\.";

/** File, its change (null: it is removed), and the fault. */
const fileDamages: Readonly<Record<string, readonly [string, ((text: string) => string) | null, RegExp]>> = {
  'a message': [
    `${run}/messages.jsonl`,
    replace('Please look.', 'Please stop.'),
    /^Line 2 of ".*messages\.jsonl" is not as it was written.*Put the file back/,
  ],
  'an update of the outbox': [
    `${run}/messages.jsonl`,
    replace('"name":"done"', '"name":"gone"'),
    /^Line 7 of ".*messages\.jsonl" is not as it was written/,
  ],
  'the first line': [
    `${run}/messages.jsonl`,
    (text) => text.slice(text.indexOf('\n') + 1),
    /^The first line of ".*messages\.jsonl" is missing/,
  ],
  'a record that is gone': [
    `${run}/messages.jsonl`,
    null,
    /^The first line of ".*messages\.jsonl" is missing/,
  ],
  'the metadata': [
    `${run}/metadata.json`,
    replace('mona', 'lisa'),
    new RegExp(`^".*metadata\\.json" does not say what ".*messages\\.jsonl" says\\. ${restore}`),
  ],
  'the outcome': [
    `${run}/outcome.json`,
    () => '{',
    new RegExp(`^".*outcome\\.json" does not say .* ${restore}`),
  ],
  'the tools': [`${run}/tools.jsonl`, replace('line 1', 'line 2'), /^".*tools\.jsonl" does not say what/],
  'the summaries': [`${run}/summaries.jsonl`, null, /^".*summaries\.jsonl" does not say what/],
  'the context': [
    `${run}/current.jsonl`,
    () => '{"role"\n',
    /^".*current\.jsonl" has a line that is not JSON/,
  ],
  'a value of the state': [`${run}/kept.json`, replace('1', '2'), /^".*kept\.json" does not say what/],
  'a value that no line has': [
    `${run}/loose.json`,
    () => '{"step":',
    /^".*loose\.json" is not the JSON that was written there/,
  ],
  'the state of a pause': [
    `paused/${paused}/task_state.json`,
    () => '[]',
    /^".*task_state\.json" does not say what/,
  ],
  'the list of recent runs': [
    'recent.jsonl',
    (text) => `${text}not JSON\n`,
    /^Line 2 of ".*recent\.jsonl" is not valid\. Delete this line/,
  ],
  'a note': [
    'mentions/5f3a.json',
    () => '{"seen',
    /^".*5f3a\.json" is not the JSON that was written there\. Put it back/,
  ],
  'the accounts of spending': [
    'spending.jsonl',
    (text) => `{"type":"account"}\n${text}`,
    /^".*spending\.jsonl" contains a damaged line\. Restore/,
  ],
};

describe('storage in files', () => {
  it('is verified without a fault as it was written, each time [NX-422]', async () => {
    const { storage } = await openFiles();
    for (let time = 0; time < 2; time += 1) expect(await listFaults(storage)).toEqual([]);
  });

  it.each(Object.entries(fileDamages))(
    'names the file and what to do if %s is damaged [NX-422]',
    async (_, [file, change, fault]) => {
      const { storage, path } = await openFiles();
      const place = join(path, file);
      if (change === null) await rm(place);
      else {
        const before = await readFile(place, 'utf8');
        const after = change(before);
        expect(after).not.toBe(before);
        await writeFile(place, after);
      }
      const faults = await listFaults(storage);
      expect(faults).toHaveLength(1);
      expect(faults[0]).toMatch(fault);
    },
  );

  it('names the file and what to do if the index is damaged, wrong or without a run [NX-422]', async () => {
    const { storage, path } = await openFiles();
    const names = await readdir(join(path, 'index'), { recursive: true });
    const index = join(path, 'index', names.find((name) => /[0-9a-f]{64}\.json$/.test(name)) ?? '');
    const text = await readFile(index, 'utf8');
    await writeFile(index, text.replace('mona', 'lisa'));
    expect(await listFaults(storage)).toEqual([
      expect.stringMatching(`does not say what run ${ended} says\\. Delete ".*built\\.json"`),
    ]);
    await writeFile(index, '{');
    expect(await listFaults(storage)).toEqual([
      expect.stringMatching(/is damaged\. Delete it: the daemon makes it again/),
    ]);
    await writeFile(index, JSON.stringify({ ...JSON.parse(text), runs: [] }));
    expect(await listFaults(storage)).toEqual([
      expect.stringMatching(`does not have run ${ended}\\. Delete`),
    ]);
  });

  it('names what is no request to a run [NX-422]', async () => {
    const { storage, path } = await openFiles();
    await appendFile(join(path, 'control', 'resume.txt'), 'x');
    expect(await listFaults(storage)).toEqual([
      expect.stringMatching(/resume\.txt" is not a request to a run\. Delete it/),
    ]);
  });
});

const restoreRow = 'Restore it from a backup\\.$';
const rowDamages: Readonly<Record<string, readonly [string, RegExp]>> = {
  'a message': [
    `UPDATE lines SET body = replace(body, 'Please look.', 'Please stop.') WHERE uuid = '${ended}'`,
    /^Line 2 of "run .*" is not as it was written.*Restore it from a backup/,
  ],
  'an update of the outbox': [
    `UPDATE lines SET body = replace(body, '"name":"done"', '"name":"gone"') WHERE uuid = '${ended}'`,
    /^Line 7 of "run/,
  ],
  'the first line': [`DELETE FROM lines WHERE line = 1 AND uuid = '${ended}'`, /^Line 1 of "run/],
  'the last line': [
    `DELETE FROM lines WHERE fact = 'ended' AND uuid = '${ended}'`,
    new RegExp(`^Line \\d+ of "run .*" is missing.* ${restoreRow}`),
  ],
  'all lines': [`DELETE FROM lines WHERE uuid = '${ended}'`, /^Line \d+ of "run .*" is missing/],
  'the row of a run': [
    `UPDATE runs SET host = 'other' WHERE uuid = '${paused}'`,
    new RegExp(`^The row of run ${paused} in .*runs does not say what its record says\\. ${restoreRow}`),
  ],
  'a value of the state': [
    `UPDATE state SET value = '{' WHERE name = 'kept.json' AND uuid = '${ended}'`,
    /^The value "kept\.json" of run .*state is not JSON/,
  ],
  'a snapshot': [
    `UPDATE snapshots SET about = '{' WHERE uuid = '${paused}'`,
    /^The snapshot of run .*snapshots is not JSON/,
  ],
  'the index': [
    `UPDATE runs SET indexed = replace(indexed, 'mona', 'lisa') WHERE uuid = '${ended}'`,
    /^The index row of run .* does not say what its record says/,
  ],
  'the summary in the index': [
    `UPDATE runs SET final_summary = '{' WHERE uuid = '${ended}'`,
    /^The index row of run/,
  ],
  'a note': [
    `UPDATE notes SET value = '{"seen' WHERE name = 'mentions/5f3a'`,
    /^The note "mentions\/5f3a" in .*notes is not JSON/,
  ],
  'an account of spending': [
    'UPDATE spending SET spent = -1',
    /^The account "day:1" in .*spending has amounts that cannot be/,
  ],
  'a request to a run': [
    `UPDATE controls SET verb = 'dance'`,
    /^"dance" for run .*controls is not a request to a run\. Delete the row/,
  ],
};

async function openRows() {
  const database = await connectTestServer();
  const schema = `s${randomUUID().replaceAll('-', '')}`;
  const storage = createPostgresStorage({ database, schema });
  open.push(async () => {
    await database.query(`DROP SCHEMA ${schema} CASCADE`);
    await storage.close();
  });
  await fill(storage);
  const damage = (sql: string) => database.query(sql.replace(/^(UPDATE|DELETE FROM) /, `$1 "${schema}".`));
  return { storage, damage };
}

describe('storage in PostgreSQL', () => {
  it('is verified without a fault as it was written, each time [NX-422]', async () => {
    const { storage } = await openRows();
    for (let time = 0; time < 2; time += 1) expect(await listFaults(storage)).toEqual([]);
  });

  it.each(Object.entries(rowDamages))(
    'names the row and what to do if %s is damaged [NX-422]',
    async (_, [sql, fault]) => {
      const { storage, damage } = await openRows();
      await damage(sql);
      const faults = await listFaults(storage);
      expect(faults).toHaveLength(1);
      expect(faults[0]).toMatch(fault);
    },
  );
});
