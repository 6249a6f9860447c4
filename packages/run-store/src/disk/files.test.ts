import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useDirectory } from '../../test/use-directory.ts';
import { readStamp, unlessMissing } from './files.ts';

const directory = useDirectory();

it('takes a path below a file for a missing one where it stamps, and for an error where it reads', async () => {
  const file = join(directory.path, 'stray');
  await writeFile(file, '');
  expect(await readStamp(file)).toMatch(/^0 /);
  expect(await readStamp(join(file, 'messages.jsonl'))).toBeNull();
  expect(await readStamp(join(directory.path, 'none'))).toBeNull();
  await expect(unlessMissing(mkdir(join(file, 'below')), null)).rejects.toMatchObject({ code: 'ENOTDIR' });
});
