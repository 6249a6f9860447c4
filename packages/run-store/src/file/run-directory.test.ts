import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { moveDirectory } from './run-directory.ts';

it('says that there is something already only where there is, and else what the system said', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'run-directory-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const [from, to] = [join(directory, 'from'), join(directory, 'to')];
  await expect(moveDirectory(from, to)).rejects.toMatchObject({ code: 'ENOENT' });
  await mkdir(from);
  await mkdir(to);
  await writeFile(join(to, 'file'), '');
  await expect(moveDirectory(from, to)).rejects.toMatchObject({
    code: 'damaged',
    message: expect.stringContaining('something already'),
  });
});
