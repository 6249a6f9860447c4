import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createMentionFile, MentionLedger } from './mention-ledger.ts';

async function createDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'mentions-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

const beganAt = '2026-03-01T10:00:00Z';

it('keeps what was handled in a file of its host, and says where one cannot be read [NX-70]', async () => {
  const directory = await createDirectory();
  const store = createMentionFile(directory, { host: 'forge.test:1' });
  const ledger = await MentionLedger.open(store, { beganAt });
  const mentions = ['a', 'b'].map((id) => ({ id, createdAt: beganAt }));
  await Promise.all([
    ledger.handle(mentions),
    ledger.setThread('issue', { state: 'paused', changed_at: beganAt }),
  ]);
  const again = await MentionLedger.open(store, { beganAt: '2027-01-01T00:00:00Z' });
  expect(mentions.map((mention) => again.isHandled(mention))).toEqual([true, true]);
  expect(again.threadOf('issue')?.state).toBe('paused');
  expect(again.polledUntil).toBe(beganAt);
  const [file = ''] = await readdir(directory);
  const kept = await readFile(join(directory, file), 'utf8');
  for (const broken of ['', '{"version":1', kept.replace(beganAt, 'yesterday')]) {
    await writeFile(join(directory, file), broken);
    await expect(MentionLedger.open(store, { beganAt })).rejects.toThrow(/forge\.test:1, .*cannot be read/);
  }
});

it('writes again what could not be written [NX-70]', async () => {
  const store = createMentionFile(await createDirectory(), { host: 'forge.test' });
  let isFull = true;
  const write: typeof store.write = async (record) => {
    if (isFull) throw new Error('no space left');
    await store.write(record);
  };
  const ledger = await MentionLedger.open({ read: store.read, write }, { beganAt });
  const mentions = [{ id: 'a', createdAt: beganAt }];
  await expect(ledger.handle(mentions)).rejects.toThrow('no space left');
  isFull = false;
  await ledger.handle(mentions);
  expect((await store.read())?.handled).toEqual([{ id: 'a', created_at: beganAt }]);
});
