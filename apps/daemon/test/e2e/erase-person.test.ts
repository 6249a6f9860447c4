// @module-tag full
import { appendFile, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connectPostgres } from '@agent/run-store/postgres';
import type { Script } from '@agent/simulators/model';
import { findSharedPostgres } from '@agent/simulators/postgres';
import { afterEach, describe, expect, it } from 'vitest';
import { eraseCommand } from '../../src/cli/commands/erase.ts';
import { exportCommand } from '../../src/cli/commands/export.ts';
import { storageCommand } from '../../src/cli/commands/storage.ts';
import { runCommand } from '../support/command.ts';
import { quickWaits, startDaemonProcess } from '../support/daemon-process.ts';
import { listTurns } from '../support/model-requests.ts';
import { quietSpell } from '../support/quiet-spell.ts';
import { repository, startWorld, type World } from '../support/world.ts';
import { createPlaceInDatabase } from '../support/world-runs.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

const remark = 'The delivery address is 5 Elm Street.';
const issue = {
  repo: repository,
  title: 'Totals are wrong since Monday',
  labels: ['coding agent'],
  labeledBy: 'alice',
};

/** Reads a file, and repeats what it was told, as models do. */
const script: Script = (view) =>
  view.exchanges.length < 2
    ? { toolCalls: [{ name: 'read_file', input: { path: 'total.js' } }] }
    : { text: `alice (@alice) asked for this: "${remark}" I changed nothing.` };

interface Stored {
  readonly at: World;
  /** Everything that is stored, as one text. */
  readonly readAll: () => Promise<string>;
}

/** A task that alice opened, and on which alice and bob commented while it was worked on, to its end. */
async function runTask(storage: 'files' | 'postgres'): Promise<Stored> {
  const place = storage === 'files' ? null : await createPlaceInDatabase();
  let asked = 0;
  const at = await startWorld({
    script,
    config: {
      ...(place?.config ?? { storage: { postgres: null } }),
      comment_detection: { enabled: true },
    },
    llm: { prices: { 'scripted-model': { input: 1, output: 1 } } },
    onModelRequest: async () => {
      asked += 1;
      if (asked !== 2) return;
      at.gitHub.comment({ repo: repository, number: 1, author: 'alice', body: remark });
      at.gitHub.comment({ repo: repository, number: 1, author: 'alice', body: '/budget 5' });
      at.gitHub.comment({
        repo: repository,
        number: 1,
        author: 'bob',
        body: 'Alice is right about Tuesdays.',
      });
      await quietSpell();
    },
  });
  world = at;
  if (place !== null)
    await appendFile(join(at.directory, '.env'), `DATABASE_URL=${place.environment.DATABASE_URL}\n`);
  at.gitHub.openIssue({ ...issue, author: 'alice', body: 'Quantities are forgotten. Ask me.' });
  await startDaemonProcess(at.configFile, { nodeArguments: quickWaits }).exited;
  expect(listTurns(at.model).join()).toContain(remark);
  return { at, readAll: () => (place === null ? readFiles(at) : readTables(place.schema)) };
}

async function readFiles({ directory }: World): Promise<string> {
  const contexts = join(directory, 'contexts');
  const entries = await readdir(contexts, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return (await Promise.all(files.map((file) => readFile(file, 'latin1')))).join('\n');
}

async function readTables(schema: string): Promise<string> {
  const database = await connectPostgres({ url: await findSharedPostgres() });
  const tables = await database.query<{ name: string }>(
    'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = $1',
    [schema],
  );
  const rows = await Promise.all(
    // Compressed and encrypted answers of the platform, which end with the next poll.
    tables
      .filter(({ name }) => name !== 'answers')
      .map(({ name }) =>
        database.query<{ row: string }>(`SELECT t::text AS row FROM ${schema}.${name} AS t`),
      ),
  );
  await database.close();
  return rows
    .flat()
    .map(({ row }) => row)
    .join('\n');
}

describe.each(['files', 'postgres'] as const)('a person in runs that are stored in %s', (storage) => {
  it('is exported and erased with each text and quote, and the records stay valid [NX-423]', {
    timeout: 120_000,
  }, async () => {
    const { at, readAll } = await runTask(storage);
    const config = at.configFile;
    const exportOf = async () =>
      JSON.parse((await runCommand((io) => exportCommand({ config, person: '@Alice' }, io))).output);
    const erase = () =>
      runCommand((io) => eraseCommand({ config, person: 'alice', yes: true }, { io, prompt: null }));

    const before = await runCommand((io) => storageCommand({ config, action: 'check' }, io));
    expect(before).toMatchObject({ code: 0 });
    const exported = await exportOf();
    expect(exported.runs).toMatchObject([
      {
        task: 'acme/shop#1',
        state: 'ended',
        texts: expect.arrayContaining([
          expect.objectContaining({ value: expect.objectContaining({ body: remark }) }),
        ]),
      },
    ]);
    expect(JSON.stringify(exported)).toContain('Quantities are forgotten');
    expect(exported.spending).toMatchObject([{ spent_micros: expect.any(Number) }]);
    expect(await readAll()).toContain(remark);

    const first = await erase();
    expect(first.errors).toBe('');
    expect(first.output).toContain('Erased in 1 finished run');
    expect(first.code).toBe(0);
    const left = await readAll();
    expect(left).not.toContain('Elm Street');
    expect(left.match(/.{0,80}alice.{0,80}/gi)).toBeNull();
    for (const text of ['Totals are wrong', 'Quantities are forgotten']) expect(left).not.toContain(text);
    expect(left).toContain('is right about Tuesdays.');
    const check = await runCommand((io) => storageCommand({ config, action: 'check' }, io));
    expect(check).toMatchObject({ code: 0 });
    expect((await exportOf()).runs).toEqual([]);
    expect(await erase()).toMatchObject({ code: 0, output: 'Nothing that can be erased is stored.' });
  });
});
