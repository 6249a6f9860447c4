import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useDirectory } from '../../test/use-directory.ts';
import { createFilePauseSignal, createFileRunControls } from './run-controls.ts';

const directory = useDirectory();

const now = () => Date.parse('2026-03-01T12:00:00Z');
const create = () => createFileRunControls({ baseDirectory: directory.path, now });

describe('the control files', () => {
  it('carry what is asked of a run to the process that runs it, until it is obeyed [RL-2, X16]', async () => {
    const [one, other] = [randomUUID(), randomUUID()];
    await create().request(one, 'stop');
    await create().request(one, 'pause');
    await create().request(other, 'resume');
    expect(await readdir(join(directory.path, 'control'))).toEqual(
      [`${one}.pause`, `${one}.stop`, `${other}.resume`].toSorted(),
    );
    for (let time = 0; time < 2; time += 1) expect(await create().read(one)).toEqual(['pause', 'stop']);
    for (const verbs of [['pause'], ['pause', 'resume']] as const) await create().remove(one, verbs);
    expect(await create().read(one)).toEqual(['stop']);
  });

  it('are none where nobody asked for anything, and make nothing', async () => {
    expect(await create().list()).toEqual([]);
    expect(await create().read(randomUUID())).toEqual([]);
    await create().remove(randomUUID(), ['stop']);
    expect(await readdir(directory.path)).toEqual([]);
  });

  it('leave alone what is none of them, such as a file in the making', async () => {
    const uuid = randomUUID();
    await mkdir(join(directory.path, 'control'));
    for (const name of [`${uuid}.stop.tmp`, `${uuid}.explode`, 'x.stop', '.stop', 'notes.txt']) {
      await writeFile(join(directory.path, 'control', name), '');
    }
    expect(await create().list()).toEqual([]);
  });

  it.each(['../../etc/cron', 'a/b', '', '..'])('are not written for %j', async (uuid) => {
    await expect(create().request(uuid, 'stop')).rejects.toMatchObject({ code: 'invalid' });
    await expect(create().read(uuid)).rejects.toMatchObject({ code: 'invalid' });
    await expect(create().remove(uuid, ['stop'])).rejects.toMatchObject({ code: 'invalid' });
    expect(await readdir(directory.path)).toEqual([]);
  });

  it('do not take a directory that cannot be read for one where nothing is asked', async () => {
    await writeFile(join(directory.path, 'control'), 'a file');
    await expect(create().list()).rejects.toMatchObject({ code: 'storage-failed' });
    await expect(create().request(randomUUID(), 'stop')).rejects.toMatchObject({ code: 'storage-failed' });
  });
});

describe('the pause signal', () => {
  it('is there when its file is, empty or not, and stays until somebody removes it [RL-2]', async () => {
    const path = join(directory.path, 'deep', 'pause_signal');
    const signal = createFilePauseSignal(path, { now });
    expect(await signal.isSet()).toBe(false);
    await signal.set();
    expect(await readFile(path, 'utf8')).toBe('2026-03-01T12:00:00.000Z\n');
    await writeFile(path, '');
    expect(await signal.isSet()).toBe(true);
    expect(await signal.isSet()).toBe(true);
    await signal.clear();
    await signal.clear();
    expect(await signal.isSet()).toBe(false);
  });

  it('is neither there nor not there when it cannot be told [RL-2]', async () => {
    await writeFile(join(directory.path, 'file'), '');
    const signal = createFilePauseSignal(join(directory.path, 'file', 'pause_signal'));
    await expect(signal.isSet()).rejects.toMatchObject({
      code: 'storage-failed',
      message: expect.stringContaining('pause_signal'),
    });
  });
});
