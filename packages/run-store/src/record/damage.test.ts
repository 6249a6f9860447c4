import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useDirectory } from '../../test/use-directory.ts';
import { createFileRunStore } from '../file/file-run-store.ts';
import { calls, end, newRun, parseMessage, says, toArray } from '../testing/store-setup.ts';

const directory = useDirectory();

const uuid = '0b39c9a4-4f5e-4d2b-8a3f-3f1d9c5b7e21';
const openStore = () => createFileRunStore({ baseDirectory: directory.path, parseMessage });
const path = (file: string) => join(directory.path, 'running', uuid, file);
const readRecord = () => readFile(path('messages.jsonl'), 'utf8');
const delivers = [{ id: '9', revision: 'r1', kind: 'added' as const }];
const observed = { type: 'fact', name: 'observed', data: { id: '9' } } as const;

/** A run that heard, worked and has begun to show its end. */
async function writeRun(): Promise<string> {
  const { journal, outbox } = await openStore().open(newRun(uuid));
  await journal.append(says('user', 'Mend it.'));
  await journal.append(observed);
  await journal.append({ ...says('user', 'And this.'), delivers });
  await journal.append(calls('c1'));
  await journal.append({ type: 'tool-started', toolCallId: 'c1', tool: 'read', args: {} });
  await journal.finish(end, { intents: [{ id: 'final', kind: 'comment', data: {} }] });
  await outbox.settle('final', { state: 'done', made: { id: '17' } });
  return readRecord();
}

const flip = (text: string, words: string) => text.replace(words, words.toUpperCase());

describe('a record that is damaged', () => {
  it('is cut there, the rest kept beside it, and the run goes on from what is whole [NX-78]', async () => {
    const written = await writeRun();
    await writeFile(path('messages.jsonl'), flip(written, 'And this'));
    const { journal, damage } = await openStore().restore(uuid);
    expect(await toArray(journal.read())).toMatchObject([{ message: { content: 'Mend it.' } }, observed]);
    const lines = written.split('\n');
    const cut = lines.findIndex((line) => line.includes('And this'));
    expect(damage).toMatchObject({ line: cut + 1, file: 'messages.damaged-1.jsonl' });
    expect(damage?.reason).toContain(`Line ${cut + 1} is not as it was written`);
    const kept = await readFile(path('messages.damaged-1.jsonl'), 'utf8');
    expect(kept.startsWith(flip(lines.slice(cut).join('\n'), 'And this'))).toBe(true);
    expect(await journal.append(says('user', 'On.'))).toBe(2);
  });

  it('is cut once, however often it is opened [NX-78]', async () => {
    await writeFile(path('messages.jsonl'), flip(await writeRun(), 'Mend it'));
    await openStore().restore(uuid);
    const { journal } = await openStore().restore(uuid);
    await journal.append(says('user', 'Some of this may have been done.'));
    expect((await openStore().restore(uuid)).damage).toBeNull();
    const names = await readdir(dirname(path('messages.jsonl')));
    expect(names.filter((name) => name.includes('damaged'))).toEqual(['messages.damaged-1.jsonl']);
  });

  it('is told apart from a line that a crash cut short', async () => {
    const { journal } = await openStore().open(newRun(uuid));
    await journal.append(says('user', 'Mend it.'));
    await writeFile(path('messages.jsonl'), `${await readRecord()}{"seq":2,"ro`);
    const { damage } = await openStore().restore(uuid);
    expect(damage).toBeNull();
  });

  it.each([
    '{"seq":1}\n{"seq":2}\n',
    'not json\n{"seq":2}\n',
    '{"fact":"opened","data":{"version":3,"uuid":"x"},"timestamp":"","check":"0"}\n',
  ])('is rebuilt from the files beside it where its beginning is lost: %s', async (text) => {
    await openStore().open(newRun(uuid));
    await writeFile(path('messages.jsonl'), text);
    const { damage, metadata } = await openStore().restore(uuid);
    expect(metadata).toMatchObject(newRun(uuid));
    const reason = 'Line 1 is not as it was written, or a line before it is missing.';
    expect(damage).toMatchObject({ line: 1, reason });
    expect(await readFile(path('messages.damaged-1.jsonl'), 'utf8')).toContain(text);
  });

  it('keeps every part that is cut off', async () => {
    const { journal } = await openStore().open(newRun(uuid));
    for (const text of ['first', 'second', 'third']) await journal.append(says('user', text));
    await writeFile(path('messages.jsonl'), flip(await readRecord(), 'third'));
    await openStore().restore(uuid);
    await writeFile(path('messages.jsonl'), flip(await readRecord(), 'second'));
    expect((await openStore().restore(uuid)).damage).toMatchObject({ file: 'messages.damaged-2.jsonl' });
    expect(await readFile(path('messages.damaged-1.jsonl'), 'utf8')).toContain('THIRD');
  });
});
