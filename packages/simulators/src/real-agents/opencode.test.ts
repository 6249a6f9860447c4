import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { installOpencode } from './opencode.ts';

it('says why opencode cannot be fetched, and leaves nothing of it [NX-296]', {
  timeout: 120_000,
}, async () => {
  const directory = await mkdtemp(join(tmpdir(), 'opencode-'));
  try {
    const { npm_config_registry: _, ...environment } = process.env;
    const deaf = {
      ...environment,
      npm_config_registry: 'http://127.0.0.1:9/',
      npm_config_fetch_retries: '0',
    };
    await expect(installOpencode(deaf, { directory })).rejects.toThrow(
      /^npm could not fetch opencode-\S+: .*127\.0\.0\.1:9/,
    );
    await expect(installOpencode({ ...deaf, OPENCODE_BIN: '/nowhere/opencode' })).rejects.toThrow(
      'OPENCODE_BIN names /nowhere/opencode, and there is no such file.',
    );
    expect(await readdir(directory)).toEqual([]);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
