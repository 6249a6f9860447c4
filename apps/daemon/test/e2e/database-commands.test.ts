import { hostname } from 'node:os';
import { openFileStorage, openPostgresStorage, toRecordDirectories } from '@agent/orchestrator';
import { afterEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { budgetCommand } from '../../src/cli/commands/budget.ts';
import { controlCommand } from '../../src/cli/commands/control.ts';
import { statusCommand } from '../../src/cli/commands/status.ts';
import { type StorageFlags, storageCommand } from '../../src/cli/commands/storage.ts';
import { runCommand } from '../support/command.ts';
import { examine, startHealthyWorld } from '../support/examination.ts';
import { makeKeptRuns } from '../support/kept-runs.ts';
import { token, type World } from '../support/world.ts';
import { createPlaceInDatabase } from '../support/world-runs.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

/** A world whose runs are kept in a schema of its own. */
async function open() {
  const { schema, config, environment } = await createPlaceInDatabase();
  world = await startHealthyWorld({ config });
  const url = environment.DATABASE_URL;
  return { at: world, url, schema, environment: { GITHUB_TOKEN: token, ...environment } };
}

describe('commands of runs that are kept in a database', () => {
  it('doctor tells the version of the server, its rights, its clock and how far away it is', async () => {
    const { at, environment } = await open();
    const { findings } = await examine(at, environment);
    const found = findings.filter(({ area }) => area === 'storage.postgres');
    // The clock of these tests stands still, in the past.
    expect(found.map(({ status }) => status)).toEqual(['ok', 'warning']);
    expect(found[1]?.text).toMatch(
      /the clock of the database server differs from the clock of this machine by \d+ ms/,
    );
    expect(found[0]?.text).toMatch(
      /PostgreSQL \d\d.* permissions; latency \d+ ms, clock difference -?\d+ ms/,
    );
    expect(JSON.stringify(findings)).not.toContain('context_storage.base_dir');
  });

  it('doctor says which setting leads to a server that does not let it in', async () => {
    const { at, url, environment } = await open();
    const wrong = Object.assign(new URL(url), { pathname: '/no_such_database' });
    const { failed } = await examine(at, { ...environment, DATABASE_URL: wrong.href });
    expect(failed.map(({ area }) => area)).toContain('storage.postgres');
  });

  it('storage migrate copies what is kept in files, and back, and refuses what it cannot do', async () => {
    const { at, environment } = await open();
    const run = (given: Partial<StorageFlags>) =>
      runCommand((io) => storageCommand({ config: at.configFile, action: 'migrate', ...given }, io), {
        environment,
      });
    const there = await run({ from: 'files', to: 'postgres' });
    expect(there).toMatchObject({ code: 0 });
    expect(there.output).toMatch(/^Copied 0 runs, .* schema .*Already there: 0\. Skipped: 0\.$/m);
    expect(await run({ from: 'postgres', to: 'files' })).toMatchObject({ code: 0 });
    expect((await run({ from: 'files', to: 'files' })).code).toBe(1);
    expect((await run({ action: 'move', from: 'files', to: 'postgres' })).code).toBe(1);
  });

  it('budget knows there what was spent in files, and sets what may be [NX-234]', async () => {
    const { config, environment } = await createPlaceInDatabase();
    const kept = await makeKeptRuns(
      stringify({ ...config, llm: { model: 'large', prices: { large: { input: 1, output: 4 } } } }),
    );
    await kept.add({ uuid: '11110000-0000-4000-8000-000000000001', number: 1, state: 'failed' });
    const files = await openFileStorage(toRecordDirectories(kept.contexts), { now: Date.now });
    const owner = await files.members.acquire();
    await files.openSpending({ owner }).reserve({
      id: '10000000-0000-4000-8000-000000000009',
      micros: 1_250_000,
      accounts: [{ name: 'thread:github.com github_issue:acme:shop:1', limitMicros: null }],
    });
    await owner.release();
    const given = { config: kept.configFile, task: 'acme/shop#1' };
    const budget = (set?: string) =>
      runCommand((io) => budgetCommand({ ...given, set }, io), { environment });
    const copied = await runCommand(
      (io) => storageCommand({ ...given, action: 'migrate', from: 'files', to: 'postgres' }, io),
      { environment },
    );
    expect(copied.output).toContain('and 1 spending account to ');
    expect((await budget('5')).code).toBe(0);
    const { output } = await budget();
    expect(output).toContain('has cost 1.25 USD so far (all runs).\nThis includes an estimated 1.25 USD');
    expect(output).toContain('Limit for this task: 5.00 USD');
    await kept.close();
  });

  it('status, pause and resume name every process that works there, and no file', async () => {
    const { at, url, schema, environment } = await open();
    const hosts = [await openPostgresStorage({ url, schema }), await openPostgresStorage({ url, schema })];
    const owners = await Promise.all(hosts.map(({ members }) => members.acquire()));
    const run = (json: boolean) =>
      runCommand((io) => statusCommand({ config: at.configFile, json }, io), { environment });
    const ask = (verb: 'pause' | 'resume') =>
      runCommand((io) => controlCommand({ config: at.configFile, verb, task: null, all: false }, io), {
        environment,
      });
    const paused = await ask('pause');
    const { output } = await run(false);
    const resumed = await ask('resume');
    for (const said of [paused.output, output, resumed.output]) {
      expect(said.match(/A daemon is running/g)).toHaveLength(2);
      expect(said).not.toMatch(/\bfile\b/);
    }
    const member = { number: expect.any(Number), pid: process.pid, host: hostname(), leads: false };
    expect(JSON.parse((await run(true)).output).service.processes).toMatchObject([member, member]);
    for (const owner of owners) await owner.release();
    for (const host of hosts) await host.close();
  });
});
