import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { CarriedFiles, RecordMedium } from '../src/carried/index.ts';
import { type CarriedStorageOptions, createCarriedStorage } from '../src/carried/index.ts';
import { makeDirectory, newRun, parseMessage, runStorageContract } from '../src/testing/index.ts';

/** A place elsewhere, in memory: what a git ref is, without git. */
function createMedium(): RecordMedium & { readonly versions: CarriedFiles[] } {
  const versions: CarriedFiles[] = [];
  const current = () => (versions.length === 0 ? null : String(versions.length));
  return {
    versions,
    location: 'a record in memory',
    readVersion: async () => current(),
    read: async () => {
      const files = versions.at(-1);
      return files === undefined ? null : { version: current() ?? '', files };
    },
    replace: async (files, { expected }) => {
      if (expected !== current()) return null;
      versions.push(new Map(files));
      return current();
    },
  };
}

const removals: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const remove of removals.splice(0)) await remove();
});

type Options = Partial<Omit<CarriedStorageOptions, 'medium'>>;

/** Opens the storage on a machine of its own. */
async function openOn(medium: RecordMedium, options: Options = {}) {
  const { path, remove } = await makeDirectory();
  removals.push(remove);
  const baseDirectory = join(path, 'contexts');
  const waits: number[] = [];
  const storage = createCarriedStorage({
    medium,
    baseDirectory,
    redact: (text) => text.replaceAll('s3cret', '[REDACTED]'),
    sleep: async (milliseconds) => void waits.push(milliseconds),
    ...options,
  });
  return { storage, baseDirectory, waits };
}

const uuid = '11111111-1111-4111-8111-111111111111';
const message = (content: string) =>
  ({ type: 'message', message: { role: 'user', content }, usage: null, delivers: [] }) as const;

async function begin(medium: RecordMedium, options: Options = {}) {
  const machine = await openOn(medium, options);
  const owner = await machine.storage.members.acquire();
  const store = machine.storage.openStore({ owner, parseMessage });
  return { ...machine, owner, store };
}

async function readTexts(journal: { readonly read: () => AsyncIterable<unknown> }): Promise<string[]> {
  const texts: string[] = [];
  for await (const entry of journal.read()) {
    const { message: said } = entry as { readonly message?: { readonly content: string } };
    if (said !== undefined) texts.push(said.content);
  }
  return texts;
}

/** What a process without an end in order leaves is found by another machine as it was stored last: see the tests below. */
const elsewhere = new Set([
  'takes no snapshot from a process whose run another one has taken over',
  'counts what a process left open that is gone as spent, and says so [NX-195]',
]);

describe('the carried storage', () => {
  const create = async ({ now }: { readonly now: () => number }) => {
    const { path, remove } = await makeDirectory();
    const medium = createMedium();
    const baseDirectory = join(path, 'contexts');
    const open = async () =>
      createCarriedStorage({ medium, baseDirectory, redact: (text) => text, leaseMs: 0, now });
    return { open, close: remove };
  };
  for (const { name, run } of runStorageContract({ create })) if (!elsewhere.has(name)) it(name, run);
});

describe('createCarriedStorage', () => {
  it('gives the next machine the run as it was stored last, after a crash', async () => {
    const medium = createMedium();
    const one = await begin(medium);
    const { journal, state } = await one.store.open(newRun(uuid));
    await journal.append(message('first'));
    await state.write('plan.json', { step: 2 });
    await one.storage.snapshots?.keep(uuid, { about: { tree: 'a' }, bundle: Buffer.from('bundle') });
    await one.owner.requireStored?.();
    await journal.append(message('never stored'));

    const other = await begin(medium);
    expect(other.waits).toEqual([30_000]);
    expect((await other.store.listInterrupted()).runs.map((run) => run.uuid)).toEqual([uuid]);
    const run = await other.store.restore(uuid);
    expect(await readTexts(run.journal)).toEqual(['first']);
    expect(await run.state.read('plan.json')).toEqual({ step: 2 });
    const kept = await other.storage.snapshots?.read(uuid);
    expect([kept?.about, Buffer.from(kept?.bundle ?? []).toString()]).toEqual([{ tree: 'a' }, 'bundle']);
    expect(other.owner.number).toBeGreaterThan(one.owner.number);
  });

  it('stores nothing more, and loses its owner, once another machine has taken the record', async () => {
    const medium = createMedium();
    const one = await begin(medium);
    const { journal } = await one.store.open(newRun(uuid));
    await one.owner.requireStored?.();
    const other = await begin(medium);
    await journal.append(message('late'));
    await expect(one.owner.requireStored?.()).rejects.toMatchObject({ code: 'owned' });
    expect(one.owner.lost.aborted).toBe(true);
    await expect(journal.append(message('later'))).rejects.toMatchObject({ code: 'owned' });
    await expect(async () => one.owner.requireOwned()).rejects.toMatchObject({ code: 'owned' });
    const count = medium.versions.length;
    await one.owner.release();
    expect(medium.versions).toHaveLength(count);
    const late = one.storage.snapshots?.keep(uuid, { about: 'late', bundle: null });
    await expect(late).rejects.toMatchObject({ code: 'owned' });
    await other.owner.release();
  });

  it('notices another owner before a write although nothing changed here, by the half of the lease', async () => {
    const medium = createMedium();
    let now = 0;
    const one = await begin(medium, { now: () => now });
    await begin(medium, { now: () => now });
    await one.owner.requireStored?.();
    now += 15_001;
    await expect(one.owner.requireStored?.()).rejects.toMatchObject({ code: 'owned' });
  });

  it('does not wait for an owner that released the record', async () => {
    const medium = createMedium();
    const one = await begin(medium);
    await one.storage.notes.write('seen', [1]);
    await one.owner.release();
    const other = await begin(medium);
    expect(other.waits).toEqual([]);
    expect(await other.storage.notes.read('seen')).toEqual([1]);
  });

  it('does not take the record from a process of which it is known that it is at work', async () => {
    const medium = createMedium();
    const states: Record<string, boolean | null> = { 'job 1': true };
    const named = (name: string): Options => ({
      process: { name, isAtWork: async (other) => states[other] ?? null },
    });
    const one = await begin(medium, named('job 1'));
    await expect(begin(medium, named('job 2'))).rejects.toMatchObject({ code: 'owned' });
    await one.owner.requireStored?.();
    states['job 1'] = false;
    expect((await begin(medium, named('job 3'))).waits).toEqual([]);
    expect((await begin(medium, named('job 4'))).waits).toEqual([30_000]);
  });

  it('stores a version only where something changed, at once after comments were delivered, and once a minute', async () => {
    const medium = createMedium();
    let now = 0;
    const { store, owner } = await begin(medium, { now: () => now });
    const { journal } = await store.open(newRun(uuid));
    await owner.requireStored?.();
    const count = medium.versions.length;
    await owner.requireStored?.();
    await journal.append(message('no comment'));
    expect(medium.versions).toHaveLength(count);
    const delivers = [{ id: '7', revision: 'a', kind: 'added' as const }];
    await journal.append({ ...message('with one'), delivers });
    expect(medium.versions).toHaveLength(count + 1);
    now += 60_000;
    await journal.append(message('a minute later'));
    await vi.waitFor(() => expect(medium.versions).toHaveLength(count + 2));
  });

  it('has no secret in the record, and changes nothing that has to stay as it is', async () => {
    const medium = createMedium();
    const { store, owner } = await begin(medium);
    const { journal } = await store.open(newRun(uuid));
    const content = [
      { type: 'text', text: 'the s3cret is s3cret' },
      { type: 'tool-call', toolCallId: 's3cret', toolName: 'read', input: { path: 's3cret.txt' } },
    ];
    await journal.append({ ...message(''), message: { role: 'assistant', content } as never });
    const call = { toolCallId: '1', tool: 'run', args: { command: 'echo s3cret' } };
    await journal.append({ type: 'tool-started', ...call });
    const result = { status: 'success' as const, output: 's3cret\n', durationMs: 1 };
    await journal.append({ type: 'tool-finished', ...call, ...result });
    await owner.release();
    const texts = [...(medium.versions.at(-1) ?? [])].map(([, bytes]) => Buffer.from(bytes).toString());
    const all = texts.join('\n');
    expect(all.match(/s3cret/g)).toEqual(all.match(/"toolCallId":"s3cret"/g)?.map(() => 's3cret'));
    expect(all).toContain('the [REDACTED] is [REDACTED]');
    expect(all).toContain('echo [REDACTED]');
  });

  it('encrypts the record with a key, and can be read with that key alone', async () => {
    const medium = createMedium();
    const key = 'k'.repeat(32);
    const one = await begin(medium, { key });
    const { journal } = await one.store.open(newRun(uuid));
    const long = 'private words '.repeat(20_000);
    await journal.append(message(long));
    await one.owner.release();
    const stored = medium.versions.at(-1) ?? new Map();
    for (const [path, bytes] of stored)
      if (path !== 'record.json') expect(Buffer.from(bytes).includes('private words'), path).toBe(false);
    const other = await begin(medium, { key });
    expect(await readTexts((await other.store.restore(uuid)).journal)).toEqual([long]);
    await other.owner.release();
    await expect(begin(medium, { key: 'l'.repeat(32) })).rejects.toMatchObject({ code: 'damaged' });
    await expect(begin(medium)).rejects.toMatchObject({ code: 'invalid' });
    await expect(begin(medium, { key: 'short' })).rejects.toMatchObject({ code: 'invalid' });
  });

  it('leaves out what can be made again, and refuses a run that is too large', async () => {
    const medium = createMedium();
    const { store, owner } = await begin(medium, { maxBytes: 90_000 });
    const { journal } = await store.open(newRun(uuid));
    await journal.append(message('x'.repeat(35_000)));
    await owner.requireStored?.();
    const names = [...(medium.versions.at(-1)?.keys() ?? [])].join('\n');
    expect(names).toContain('messages.jsonl');
    expect(names).not.toContain('current.jsonl');
    await journal.append(message('x'.repeat(35_000)));
    await expect(owner.requireStored?.()).rejects.toMatchObject({ code: 'storage-full' });
  });

  it('writes nothing outside of its directories, whatever a record names', async () => {
    const medium = createMedium();
    const one = await begin(medium);
    await one.owner.release();
    for (const path of ['runs/../../x', '../x', 'runs//x', '/x', 'other/x', 'runs/a\\b']) {
      const files = new Map([...(medium.versions.at(-1) ?? []), [path, Buffer.from('x')]]);
      await medium.replace(files, { expected: await medium.readVersion() });
      await expect(begin(medium), path).rejects.toMatchObject({ code: 'damaged' });
      medium.versions.pop();
    }
  });

  it('does not replace a directory of runs that did not come from a record', async () => {
    const medium = createMedium();
    const one = await begin(medium);
    await one.owner.release();
    const { storage, baseDirectory } = await openOn(medium);
    const files = await import('../src/file/index.ts');
    const own = files.createFileStorage({ baseDirectory });
    const owner = await own.members.acquire();
    await own.openStore({ owner, parseMessage }).open(newRun(uuid));
    await owner.release();
    await expect(storage.members.acquire()).rejects.toMatchObject({ code: 'invalid' });
    expect(await readFile(join(baseDirectory, 'running', uuid, 'messages.jsonl'), 'utf8')).not.toBe('');
    await rm(baseDirectory, { recursive: true });
    await (await storage.members.acquire()).release();
  });
});
