import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useDirectory } from '../../test/use-directory.ts';
import { createFileRunStore } from '../file/file-run-store.ts';
import { readSeal } from '../lines/record-line.ts';
import type { RecordOwner } from '../ports.ts';
import { end, newRun, parseMessage, says, toArray } from '../testing/store-setup.ts';

const directory = useDirectory();

const uuid = '0b39c9a4-4f5e-4d2b-8a3f-3f1d9c5b7e21';
const now = () => Date.parse('2026-03-01T12:00:00Z');
const openStore = (owner: RecordOwner | null = null) =>
  createFileRunStore({ baseDirectory: directory.path, parseMessage, now, owner });
const messages = () => join(directory.path, 'running', uuid, 'messages.jsonl');
const readTexts = async () => (await readFile(messages(), 'utf8')).split('\n').slice(0, -1);
const seen = (id: string) => ({ type: 'fact', name: 'observed', data: { id } }) as const;
const comment = { id: 'final', kind: 'comment', data: { body: 'Done.' } };

describe('the record of a run', () => {
  it('chains each line to the one before', async () => {
    const first = await openStore().open(newRun(uuid));
    await first.leave();
    const { journal, position } = await openStore().restore(uuid);
    await journal.append(says('user', 'Mend it.'));
    await journal.append(seen('c1'));
    let previous = '';
    for (const text of await readTexts()) {
      const seal = readSeal(Buffer.from(text), previous);
      expect(seal.isWhole).toBe(true);
      previous = seal.check;
    }
    expect(position().check).toBe(previous);
    expect((await readTexts()).length).toBe(position().line);
  });

  it.each([
    ['a changed letter', (text: string) => text.replace('Mend', 'Bend')],
    ['a missing line', (text: string) => text.replace(/^.*Mend.*\n/m, '')],
    ['lines in another order', (text: string) => text.replace(/^(.*Mend.*\n)(.*\n)/m, '$2$1')],
    ['a line whose check was taken away', (text: string) => text.replace(/,"check":"[^"]*"\}\n$/, '}\n')],
  ])('notices %s [NX-78]', async (_, damage) => {
    const { journal } = await openStore().open(newRun(uuid));
    await journal.append(says('user', 'Hello.'));
    await journal.append(says('user', 'Mend it.'));
    await journal.append(seen('c1'));
    await journal.append(seen('c2'));
    const text = await readFile(messages(), 'utf8');
    expect(damage(text)).not.toBe(text);
    await writeFile(messages(), damage(text));
    await expect(toArray(journal.read())).rejects.toMatchObject({ code: 'damaged' });
  });

  it("writes its owner's number into each line, and nothing that the owner's guard refuses", async () => {
    let isOwner = true;
    const guard: RecordOwner['guard'] = async (write) => {
      if (!isOwner) throw new Error('a higher number stands');
      return write();
    };
    const { journal } = await openStore({ number: 7, guard }).open(newRun(uuid));
    await journal.append(says('user', 'Mend it.'));
    const before = await readTexts();
    expect(before.map((text) => JSON.parse(text).owner)).toEqual(before.map(() => 7));
    isOwner = false;
    await expect(journal.append(says('user', 'Late.'))).rejects.toThrow();
    expect(await readTexts()).toEqual(before);
  });
});

describe('the outbox of a run', () => {
  it('takes the intents of an end in the line that commits it, and keeps the run until they are settled [NX-80]', async () => {
    const store = openStore();
    const { journal } = await store.open(newRun(uuid));
    await journal.append(says('user', 'Mend it.'));
    const before = (await readTexts()).length;
    await journal.finish(end, { intents: [comment] });
    expect((await readTexts()).length).toBe(before + 1);
    await expect(store.finish(uuid)).rejects.toMatchObject({ code: 'invalid' });
    const next = openStore();
    expect((await next.listInterrupted()).runs).toMatchObject([{ uuid, outcome: { status: 'completed' } }]);
    const { outbox } = await next.restore(uuid);
    await outbox.settle('final', { state: 'done', made: { id: '17' } });
    await next.finish(uuid);
    expect((await next.listInterrupted()).runs).toEqual([]);
  });
});
