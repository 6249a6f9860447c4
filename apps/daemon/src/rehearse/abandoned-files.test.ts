import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { directoryPrefix, filePrefix, formatOwner, removeAbandonedFiles } from './abandoned-files.ts';

let configs = '';
let files = '';
beforeEach(async () => {
  configs = await mkdtemp(join(tmpdir(), 'abandoned-files-'));
  files = await mkdtemp(join(tmpdir(), directoryPrefix));
});
afterEach(async () => {
  await rm(configs, { recursive: true, force: true });
  await rm(files, { recursive: true, force: true });
});

/** Writes the configuration of a process that does not run, with differences. */
async function writeConfig(change: object = {}, directory = files): Promise<string> {
  const file = join(configs, `${filePrefix}1.yaml`);
  const [, prefix = '', owner = ''] = /^([^{]*)(.*)$/.exec(formatOwner(directory)) ?? [];
  const { pid } = spawnSync(process.execPath, ['--version']);
  await writeFile(file, `${prefix}${JSON.stringify({ ...JSON.parse(owner), pid, ...change })}\nllm: {}\n`);
  return file;
}

describe('removeAbandonedFiles', () => {
  it('removes the configuration and the directory of a process that was killed', async () => {
    const file = await writeConfig();
    expect(await removeAbandonedFiles(configs)).toEqual([files, file]);
    expect([existsSync(file), existsSync(files)]).toEqual([false, false]);
  });

  it.each([
    ['a process that runs', { pid: process.pid }],
    ['another machine', { host: 'another-machine' }],
    ['a container with the name of this machine', { processes: 'pid:[1]' }],
    ['no process', { pid: 0 }],
  ])('leaves the files of %s', async (_, change) => {
    const file = await writeConfig(change);
    expect(await removeAbandonedFiles(configs)).toEqual([]);
    expect([existsSync(file), existsSync(files)]).toEqual([true, true]);
  });

  it('leaves a configuration of a user, and a directory that no rehearsal creates', async () => {
    const user = join(configs, `${filePrefix}mine.yaml`);
    await writeFile(user, 'llm: {}\n');
    const file = await writeConfig({}, configs);
    expect(await removeAbandonedFiles(configs)).toEqual([file]);
    expect(existsSync(user)).toBe(true);
  });
});
