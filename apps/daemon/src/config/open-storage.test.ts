import { randomUUID } from 'node:crypto';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectPostgres } from '@agent/run-store/postgres';
import { findSharedPostgres } from '@agent/simulators/postgres';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '../../test/support/command.ts';
import { controlCommand } from '../cli/commands/control.ts';
import { statusCommand } from '../cli/commands/status.ts';
import { loadConfig } from './load-config.ts';
import { openStorage } from './open-storage.ts';
import { collectSecrets } from './settings.ts';

const uuid = '11110000-0000-4000-8000-000000000001';
const now = () => Date.parse('2026-01-01T23:00:00Z');

let directory: string;
let configFile: string;
const schema = `s${randomUUID().replaceAll('-', '')}`;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'storage-'));
  configFile = join(directory, 'agent.config.yaml');
  const platforms = '{ github: { repositories: [acme/shop] } }';
  await writeFile(
    configFile,
    `platforms: ${platforms}\nstorage: { postgres: { url_env: RUNS_URL, schema: ${schema} } }\n`,
  );
});
afterEach(() => rm(directory, { recursive: true, force: true }));

describe('the storage that a configuration names', () => {
  it('is a database, where the commands beside the daemon find its runs and ask them, and no file', async () => {
    const environment = { RUNS_URL: await findSharedPostgres() };
    const storage = await openStorage(await loadConfig(configFile, environment), { now });
    try {
      const owner = await storage.members.acquire();
      const parseMessage = (json: unknown) => json as { role: string; content: unknown };
      const thread = { taskKeyText: 'github_issue:acme:shop:1', host: 'github.com' };
      const taskKey = { type: 'github_issue', owner: 'acme', repo: 'shop', number: 1 };
      await storage
        .openStore({ owner, parseMessage })
        .open({ uuid, taskKey, ...thread, user: 'alice', config: {}, extra: { number: 1 } });
      const status = await runCommand((io) => statusCommand({ config: configFile }, io), { environment });
      expect(status).toMatchObject({ code: 0, errors: '' });
      expect(status.output).toMatch(/^A daemon is running[\s\S]*running +1h 00m ago +11110000/);
      const flags = { config: configFile, verb: 'stop', task: '1111', all: false } as const;
      expect(await runCommand((io) => controlCommand(flags, io), { environment })).toMatchObject({ code: 0 });
      expect(await storage.controls.read(uuid)).toEqual(['stop']);
      await expect(access(join(directory, 'contexts'))).rejects.toThrow('ENOENT');
      await owner.release();
    } finally {
      await storage.close();
      const database = await connectPostgres({ url: environment.RUNS_URL });
      await database.query(`DROP SCHEMA ${schema} CASCADE`);
      await database.close();
    }
  });

  it('is reached by the password that the .env says now, where that was changed meanwhile [NX-150]', async () => {
    const role = `r${schema.slice(0, 20)}`;
    const direct = await connectPostgres({ url: await findSharedPostgres() });
    await direct.query(`CREATE ROLE ${role} LOGIN PASSWORD 'one'`);
    await direct.query(`CREATE SCHEMA ${schema} AUTHORIZATION ${role}`);
    const say = async (password: string) => {
      const { href } = Object.assign(new URL(await findSharedPostgres()), { username: role, password });
      return writeFile(join(directory, '.env'), `RUNS_URL=${href}\n`);
    };
    await say('one');
    const storage = await openStorage(await loadConfig(configFile, {}), { now, patienceMs: 10_000 });
    await storage.notes.write('one', 1);
    await direct.query(`ALTER ROLE ${role} PASSWORD 'tw%o'`);
    await say('tw%25o');
    await direct.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${role}'`);
    expect(await storage.notes.read('one')).toBe(1);
    await storage.close();
    await direct.query(`DROP SCHEMA ${schema} CASCADE; DROP ROLE ${role}`);
    await direct.close();
  });

  it('is not there without the address of its server, which is a secret like the password in it', async () => {
    const loaded = await loadConfig(configFile, {});
    await expect(openStorage(loaded, { now })).rejects.toThrow(/RUNS_URL is not set\. .*database/);
    const environment = { RUNS_URL: 'postgres://agent:p%40ss-word-17@db.example/agent' };
    expect(collectSecrets(loaded.config, environment)).toEqual([
      environment.RUNS_URL,
      'p%40ss-word-17',
      'p@ss-word-17',
    ]);
  });
});
