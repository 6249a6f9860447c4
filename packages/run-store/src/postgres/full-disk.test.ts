import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findSharedPostgres } from '@agent/simulators/postgres';
import { expect, it } from 'vitest';
import type { RunStorage } from '../storage.ts';
import { newRun, parseMessage, says, type TestMessage } from '../testing/store-setup.ts';
import { connectPostgres } from './connect-postgres.ts';
import { createPostgresStorage } from './postgres-storage.ts';

const run = promisify(execFile);
const uuid = '0b39c9a4-4f5e-4d2b-8a3f-3f1d9c5b7e21';

/** A disk of two megabytes for the server, which is nobody's where root runs it; null where none may be mounted. */
async function mountSmallDisk(): Promise<string | null> {
  const directory = await mkdtemp(join(tmpdir(), 'small-disk-'));
  const options = 'size=2m,mode=700,uid=nobody';
  return run('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', directory]).then(
    () => directory,
    () => rm(directory, { recursive: true }).then(() => null),
  );
}

async function unmount(disk: string): Promise<void> {
  await run('umount', ['-l', disk]);
  await rm(disk, { recursive: true });
}

const tried = await mountSmallDisk();
if (tried !== null) await unmount(tried);
const title =
  'a server whose disk is full is waited for until somebody makes room, and what it did not take is there once [NX-148]';

it(tried === null ? `NOT SHOWN HERE, no disk may be mounted: ${title}` : title, async () => {
  const disk = tried === null ? null : await mountSmallDisk();
  if (disk === null) return;
  const name = `s${randomUUID().replaceAll('-', '')}`;
  const url = await findSharedPostgres();
  const direct = await connectPostgres({ url });
  const conditions: unknown[] = [];
  let storage: RunStorage | null = null;
  const sleep = async (): Promise<void> => {
    conditions.push(await storage?.health.check());
    if (conditions.length === 3) await direct.query(`DROP TABLE ${name}.ballast`);
  };
  try {
    await direct.query(`CREATE TABLESPACE ${name} LOCATION '${disk}'`);
    storage = createPostgresStorage({ database: await connectPostgres({ url, sleep }), schema: name });
    const owner = await storage.members.acquire();
    const { journal } = await storage.openStore<TestMessage>({ owner, parseMessage }).open(newRun(uuid));
    await direct.query(`ALTER TABLE ${name}.lines SET TABLESPACE ${name};
        CREATE TABLE ${name}.ballast (text text STORAGE PLAIN) TABLESPACE ${name}`);
    const fill = `INSERT INTO ${name}.ballast SELECT repeat('x', 7000)`;
    const patient = await connectPostgres({ url, patienceMs: 0 });
    await expect(
      (async () => {
        for (;;) await patient.query(fill, []);
      })(),
    ).rejects.toMatchObject({ code: 'storage-full' });
    await patient.close();
    // More than the pages that it has would take.
    const text = randomBytes(100_000).toString('hex');
    expect(await journal.append(says('user', text))).toBe(1);
    expect(await journal.append(says('user', 'two'))).toBe(2);
    const [row] = await direct.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM ${name}.lines WHERE uuid = $1 AND fact IS NULL`,
      [uuid],
    );
    expect(row?.count).toBe(2);
    const full = {
      ...{ part: 'database', state: 'failed' },
      reason: expect.stringContaining('The disk of the server is full: free some space there.'),
    };
    expect(conditions).toEqual([full, full, full]);
    await owner.release();
  } finally {
    await storage?.close();
    await direct.query(`DROP SCHEMA IF EXISTS ${name} CASCADE`);
    await direct.query(`DROP TABLESPACE IF EXISTS ${name}`);
    await direct.close();
    await unmount(disk);
  }
});
