import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { MessageLike, OpenRun, Ownership } from '@agent/run-store';
import { createRunStore } from '@agent/run-store/driver';
import { acquireOwnership } from '@agent/run-store/file';
import { newRun } from '@agent/run-store/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { admitOwner, createSqliteStorage } from './create-sqlite-storage.ts';
import { RunDatabase } from './run-database.ts';
import { SqliteRunDriver } from './sqlite-run-driver.ts';

const uuid = '10000000-0000-4000-8000-000000000001';
const parseMessage = (json: unknown) => json as MessageLike;

let directory: string;
let path: string;
let stack: AsyncDisposableStack;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sqlite-runs-'));
  path = join(directory, 'runs.sqlite');
  stack = new AsyncDisposableStack();
  stack.defer(() => rm(directory, { recursive: true }));
});
afterEach(() => stack.disposeAsync());

/** Starts a process that appends lines to the run. */
async function startProcess() {
  const program = fileURLToPath(new URL('./append-lines.ts', import.meta.url));
  const flags = ['--conditions=@agent/source', program, directory, uuid];
  const child = spawn(process.execPath, flags, { stdio: ['pipe', 'pipe', 'ignore'] });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const closed = once(child, 'close');
  const kill = async () => {
    child.kill('SIGKILL');
    await closed;
  };
  stack.defer(kill);
  const next = async () => (await answers.next()).value;
  expect(await next()).toBe('ready');
  const append = async (text: string) => {
    child.stdin.write(`${text}\n`);
    return next();
  };
  return { append, kill };
}

function openStore(owner: Ownership) {
  const database = new RunDatabase(path);
  stack.defer(() => database.close());
  return createRunStore(new SqliteRunDriver({ database, owner, now: Date.now }), { parseMessage });
}

async function takeOver(baseDirectory: string): Promise<Ownership> {
  const owner = await acquireOwnership({ baseDirectory, silenceMs: 0 });
  stack.defer(() => owner.release());
  return owner;
}

const append = ({ journal }: OpenRun<MessageLike>, content: string) =>
  journal.append({ type: 'message', message: { role: 'user', content }, usage: null, delivers: [] });

async function readTexts({ journal }: OpenRun<MessageLike>): Promise<readonly unknown[]> {
  const texts = [];
  for await (const entry of journal.read())
    texts.push(entry.type === 'message' ? entry.message.content : entry);
  return texts;
}

describe('two processes with one database', () => {
  it('lose nothing that the first one stored before it was killed', async () => {
    const first = await startProcess();
    expect([await first.append('one'), await first.append('two')]).toEqual(['one', 'two']);
    const storage = createSqliteStorage({ directory });
    stack.defer(storage.close);
    await expect(storage.members.acquire()).rejects.toMatchObject({ code: 'owned' });
    await first.kill();
    const owner = await storage.members.acquire();
    stack.defer(owner.release);
    const run = await storage.openStore({ owner, parseMessage }).restore(uuid);
    expect(run.crashesInARow).toBe(1);
    expect(await append(run, 'three')).toBe(3);
    expect(await readTexts(run)).toEqual(['one', 'two', 'three']);
  });

  it('store no line of the first one after the second one has taken over', async () => {
    const first = await startProcess();
    await first.append('one');
    const database = new RunDatabase(path);
    stack.defer(() => database.close());
    const run = await openStore(await admitOwner(database, await takeOver(directory))).restore(uuid);
    await append(run, 'two');
    expect(await first.append('late')).toBe('owned');
    expect(await readTexts(run)).toEqual(['one', 'two']);
  });
});

describe('two connections to one database', () => {
  it('let the connection that opened a run last write to it, and no other one', async () => {
    const database = new RunDatabase(path);
    stack.defer(() => database.close());
    const owner = await admitOwner(database, await takeOver(directory));
    const [one, other] = [openStore(owner), openStore(owner)];
    const run = await one.open(newRun(uuid));
    await append(run, 'one');
    const taken = await other.restore(uuid);
    await append(taken, 'two');
    await expect(append(run, 'late')).rejects.toMatchObject({ code: 'owned' });
    expect(await readTexts(taken)).toEqual(['one', 'two']);
  });

  it('compare owners in the database, also if the lock file says nothing', async () => {
    const database = new RunDatabase(path);
    stack.defer(() => database.close());
    const elsewhere = join(directory, 'elsewhere');
    const one = await admitOwner(database, await takeOver(directory));
    const run = await openStore(one).open(newRun(uuid));
    await takeOver(elsewhere);
    // Owner 2 of another directory, so that owner 1 still has its lock.
    await admitOwner(database, await takeOver(elsewhere));
    expect(() => one.requireOwned()).not.toThrow();
    await expect(append(run, 'late')).rejects.toMatchObject({ code: 'owned' });
    await expect(admitOwner(database, one)).rejects.toMatchObject({ code: 'damaged' });
  });
});
