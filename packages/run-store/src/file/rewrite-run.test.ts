import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { replaceWord } from '../testing/contract/rewrite-cases.ts';
import { end, makeDirectory, newRun, parseMessage, says } from '../testing/store-setup.ts';
import { createFileStorage } from './file-storage.ts';

const uuid = '10000000-0000-4000-8000-000000000001';
let base = '';
let remove: () => Promise<void>;
beforeEach(async () => {
  ({ path: base, remove } = await makeDirectory());
  const storage = createFileStorage({ baseDirectory: base });
  const owner = await storage.members.acquire();
  const store = storage.openStore({ owner, parseMessage });
  const { journal, state } = await store.open(newRun(uuid));
  await journal.append(says('user', 'mona wrote this.'));
  await journal.append({ type: 'tool-started', toolCallId: 'a', tool: 'read', args: { by: 'mona' } });
  await state.write('parts/note.json', { by: 'mona' });
  await journal.finish({ ...end, reason: 'mona said so.' });
  await store.finish(uuid);
  await owner.release();
});
afterEach(() => remove());

const rewrite = (baseDirectory: string) =>
  createFileStorage({ baseDirectory })
    .transfer?.openRun(uuid, 'completed')
    .rewrite((value) => replaceWord(value, 'mona', 'lisa'));

async function readAll(directory: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = files.map(async (file) => [file.slice(directory.length), await readFile(file, 'utf8')]);
  return Object.fromEntries(await Promise.all(texts));
}

const completed = () => join(base, 'completed', uuid);

describe('a rewrite of a run in files', () => {
  it('leaves the old text in no file, also not in lines that were cut off and in files of a crash [NX-423]', async () => {
    const cut = join(completed(), 'messages.damaged-1.jsonl');
    await writeFile(cut, '{"fact":"observed","data":{"by":"mona"},"timesta\n{"by":"mona"}\n');
    await writeFile(join(completed(), 'outcome.json.tmp'), 'mona');
    const index = (await readdir(join(base, 'index'), { recursive: true })).find((name) =>
      /[0-9a-f]{64}\.json$/.test(name),
    );
    await writeFile(join(base, 'index', `${index}.corrupt-2026`), 'mona');
    expect(await rewrite(base)).toBe(true);
    expect(JSON.stringify(await readAll(base))).not.toContain('mona');
    expect(await readFile(cut, 'utf8')).toContain('{"by":"lisa"}');
    expect(await rewrite(base)).toBe(false);
  });

  it('is completed by the next one if a crash cuts it off after any file [NX-423]', async () => {
    const before = join(base, 'before');
    await cp(completed(), before, { recursive: true });
    expect(await rewrite(base)).toBe(true);
    const after = await readAll(completed());
    const names = Object.keys(after).filter((name) => name !== '/messages.jsonl');
    for (let count = 0; count <= names.length; count += 1) {
      await rm(completed(), { recursive: true });
      await cp(before, completed(), { recursive: true });
      for (const name of names.slice(0, count)) await writeFile(join(completed(), name), after[name] ?? '');
      await mkdir(join(base, 'running', `.new-${uuid}`, uuid), { recursive: true });
      expect(await rewrite(base)).toBe(true);
      expect(await readAll(completed())).toEqual(after);
      expect(await readdir(join(base, 'running'))).toEqual([]);
    }
  });
});
