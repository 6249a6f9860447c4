import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useDirectory } from '../../test/use-directory.ts';
import { end, newRun, parseMessage } from '../testing/store-setup.ts';
import { createFileRunStore } from './file-run-store.ts';
import { createFileRunReader } from './run-reader.ts';

const uuid = '6f1f4d3c-6a3e-4a7e-9d55-0d9a6a2f4b10';
const directory = useDirectory();

const openStore = () => createFileRunStore({ baseDirectory: directory.path, parseMessage });
const openReader = () => createFileRunReader({ baseDirectory: directory.path, parseMessage });
const path = (name: string, place = 'running') => join(directory.path, place, uuid, name);

describe('the state of a run', () => {
  it('is JSON in files of that name, and text as it is in others', async () => {
    const { state } = await openStore().open(newRun(uuid));
    const files = {
      'comment_detection_state.json': '{"seen":["7"]}\n',
      'pre_planning_crashes.json': '{"progress":3,"crashes_before":1}\n',
      envelope_nonce: '3f1c9f2e-9a4f-4a55-b1c9-0d6d3c1b7a10\n',
      heard_internal: '',
      waits_for_model: '',
    };
    for (const [name, text] of Object.entries(files)) {
      await writeFile(path(name), text);
      const value = await state.read(name);
      expect(value).toEqual(name.endsWith('.json') ? JSON.parse(text) : text);
      await state.write(name, null);
      await state.write(name, value);
      expect(await readFile(path(name), 'utf8')).toBe(text);
      expect((await stat(path(name))).mode & 0o777).toBe(0o600);
    }
  });

  it.each(['', '{"seen":', '\0\0'])('is an error where it is damaged, never nothing: %j', async (text) => {
    const { state } = await openStore().open(newRun(uuid));
    await writeFile(path('detection.json'), text);
    await expect(state.read('detection.json')).rejects.toMatchObject({
      code: 'damaged',
      message: expect.stringContaining('detection.json'),
    });
    await state.write('detection.json', { seen: [] });
    expect(await state.read('detection.json')).toEqual({ seen: [] });
  });

  it.each([
    ...['', '.', '..', '../other', 'a/../b', '/etc/passwd', 'a\\b', 'a\0', '.hidden', 'a//b', 'a/'],
    ...['messages.jsonl', 'Metadata.json', 'outcome.json', 'planning/x.jsonl', 'a.json.tmp', 'x'.repeat(201)],
  ])('has no name that leads elsewhere or to the journal: %j', async (name) => {
    const { state } = await openStore().open(newRun(uuid));
    await expect(state.read(name)).rejects.toMatchObject({ code: 'invalid' });
    await expect(state.write(name, 'x')).rejects.toMatchObject({ code: 'invalid' });
  });

  it('is asked for anew where the run lies now, by whoever reads beside its owner', async () => {
    const store = openStore();
    const { state, journal } = await store.open(newRun(uuid));
    await state.write('a.json', 1);
    const shown = await openReader().readRun(uuid);
    expect(await shown.state.read('a.json')).toBe(1);
    await journal.finish(end);
    await store.finish(uuid);
    expect(await shown.state.read('a.json')).toBe(1);
    expect(await shown.state.read('b.json')).toBeNull();
  });

  it('neither reads nor writes where a run was moved from', async () => {
    const store = openStore();
    const { state, journal } = await store.open(newRun(uuid));
    const last = state.write('last.json', 1);
    await journal.finish(end);
    await store.finish(uuid);
    await last;
    expect(await readFile(path('last.json', 'completed'), 'utf8')).toBe('1\n');
    await expect(state.read('last.json')).rejects.toMatchObject({ code: 'invalid' });
    await expect(state.write('folder/late.json', 1)).rejects.toMatchObject({ code: 'invalid' });
    await expect(stat(path('.'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('loses what a crash left half written, and nothing else', async () => {
    const { state } = await openStore().open(newRun(uuid));
    await state.write('detection.json', { seen: [] });
    await writeFile(path('detection.json.tmp'), '{"se');
    const again = await openStore().restore(uuid);
    expect(await again.state.read('detection.json')).toEqual({ seen: [] });
    expect(await readdir(path('.'))).not.toContain('detection.json.tmp');
  });
});
