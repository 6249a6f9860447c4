import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createFileStorage } from '@agent/run-store/file';
import { expect, it, onTestFinished } from 'vitest';
import { createMentionStore, MentionLedger } from './mention-ledger.ts';

async function createDirectory(): Promise<string> {
  const base = await mkdtemp(join(tmpdir(), 'mentions-'));
  onTestFinished(() => rm(base, { recursive: true, force: true }));
  return join(base, 'mentions');
}

/** The store of a host, and what finds its file. */
function openStore(directory: string, host: string) {
  return createMentionStore(createFileStorage({ baseDirectory: dirname(directory) }).notes, { host });
}

const beganAt = '2026-03-01T10:00:00Z';

it('keeps what was handled in a file of its host, and says where one cannot be read [NX-70]', async () => {
  const directory = await createDirectory();
  const store = openStore(directory, 'forge.test:1');
  const ledger = await MentionLedger.open(store);
  const mentions = ['a', 'b'].map((id) => ({ id, createdAt: beganAt }));
  await Promise.all([
    ledger.handle(mentions),
    ledger.setThread('issue', { state: 'paused', changed_at: beganAt }),
  ]);
  const again = await MentionLedger.open(store);
  expect(mentions.map((mention) => again.isHandled(mention))).toEqual([true, true]);
  expect(again.threadOf('issue')?.state).toBe('paused');
  const [file = ''] = await readdir(directory);
  const kept = await readFile(join(directory, file), 'utf8');
  for (const broken of ['', '{"version":1', kept.replace(beganAt, 'yesterday')]) {
    await writeFile(join(directory, file), broken);
    await expect(MentionLedger.open(store)).rejects.toThrow(/forge\.test:1, .*cannot be read/);
  }
});

it.each([
  [2, 'version 2'],
  [undefined, 'no version'],
])(
  'MentionLedger refuses a record of version %s, and leaves it as it is [NX-420]',
  async (version, found) => {
    const directory = await createDirectory();
    const store = openStore(directory, 'forge.test');
    await (await MentionLedger.open(store)).handle([{ id: 'a', createdAt: beganAt }]);
    const [file = ''] = await readdir(directory);
    const path = join(directory, file);
    const other = JSON.stringify({ ...JSON.parse(await readFile(path, 'utf8')), version });
    await writeFile(path, other);
    const sentence = `has ${found}, and this program reads version 1 only: use the release that wrote it, or move it away.`;
    await expect(MentionLedger.open(store)).rejects.toThrow(sentence);
    expect(await readFile(path, 'utf8')).toBe(other);
  },
);

it('writes again what could not be written [NX-70]', async () => {
  const store = openStore(await createDirectory(), 'forge.test');
  let isFull = true;
  const write: typeof store.write = async (record) => {
    if (isFull) throw new Error('no space left');
    await store.write(record);
  };
  const ledger = await MentionLedger.open({ read: store.read, write });
  const mentions = [{ id: 'a', createdAt: beganAt }];
  await expect(ledger.handle(mentions)).rejects.toThrow('no space left');
  isFull = false;
  await ledger.handle(mentions);
  expect((await store.read())?.handled).toEqual([{ id: 'a', created_at: beganAt }]);
});

it('writes only what changed, and nothing that could not be read again [NX-70]', async () => {
  const store = openStore(await createDirectory(), 'forge.test');
  let written = 0;
  const write: typeof store.write = async (record) => {
    written += 1;
    await store.write(record);
  };
  const ledger = await MentionLedger.open({ read: store.read, write });
  const read = new Map([['octo/hello', { begin: beganAt, until: null }]]);
  const steps: readonly (() => Promise<void>)[] = [
    () => ledger.endPoll({ read, unread: new Set(), oldestOpen: null, at: beganAt }),
    () => ledger.setThread('issue', { state: 'paused', changed_at: beganAt }),
    () => ledger.setThread('issue', null),
    () => ledger.readAgain('octo/hello', '2026-03-01T09:00:00Z'),
    () => ledger.handle([{ id: 'a', createdAt: beganAt }]),
  ];
  for (const [index, step] of steps.entries()) {
    await step();
    await step();
    expect(written).toBe(index + 1);
  }
  expect(await store.read()).toMatchObject({
    places: { 'octo/hello': { polled_until: '2026-03-01T09:00:00Z' } },
    threads: {},
  });
});

it('knows a place again that a list did not have for less than a day, however it is spelled [NX-70, NX-370]', async () => {
  const ledger = await MentionLedger.open(openStore(await createDirectory(), 'forge.test'));
  const poll = (places: readonly string[], at: string) =>
    ledger.endPoll({
      read: new Map(places.map((place) => [place, { begin: at, until: null }])),
      ...{ unread: new Set<string>(), oldestOpen: null, at },
    });
  await poll(['octo/hello', 'octo/other'], beganAt);
  await poll(['octo/other'], '2026-03-02T09:00:00Z');
  await poll(['octo/other'], '2026-03-03T08:00:00Z');
  await poll(['Octo/Hello', 'octo/other'], '2026-03-03T08:10:00Z');
  expect(ledger.handledBefore('Octo/Hello')).toBe(beganAt);
  expect(ledger.findSince(['OCTO/hello'], { begin: '2027-01-01T00:00:00Z', overlapMs: 0 })).toEqual({
    changedSince: '2026-03-01T10:00:00.000Z',
    changedSinceIn: { 'OCTO/hello': '2026-03-01T10:00:00.000Z' },
  });
  await poll(['octo/other'], '2026-03-04T08:00:00Z');
  await poll(['octo/other'], '2026-03-05T09:00:00Z');
  expect(ledger.handledBefore('octo/hello')).toBeNull();
  await poll(['octo/renamed'], '2026-03-05T09:10:00Z');
  expect(ledger.handledBefore('octo/other')).toBeNull();
});
