import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readCredentials } from './read-credentials.ts';

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'credentials-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

describe('readCredentials', () => {
  it('reads a file for each variable, without the line end, and no other file [NX-424]', async () => {
    await writeFile(join(directory, 'GITHUB_TOKEN'), 'ghp_1\n');
    await writeFile(join(directory, 'APP_KEY'), '-----BEGIN-----\nabc\n-----END-----\n');
    await writeFile(join(directory, 'metrics-token'), 'other');
    expect(await readCredentials({ CREDENTIALS_DIRECTORY: directory })).toEqual({
      GITHUB_TOKEN: 'ghp_1',
      APP_KEY: '-----BEGIN-----\nabc\n-----END-----',
    });
  });

  it('reads nothing without a directory, and rejects for one that is missing [NX-424]', async () => {
    expect(await readCredentials({})).toEqual({});
    const missing = { CREDENTIALS_DIRECTORY: join(directory, 'none') };
    await expect(readCredentials(missing)).rejects.toThrow('ENOENT');
  });
});
