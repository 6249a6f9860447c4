import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const folder = fileURLToPath(new URL('..', import.meta.url));

it('runs the example of its README, as a program of its own', async () => {
  const readme = await readFile(`${folder}/README.md`, 'utf8');
  const example = /```ts\n([\s\S]+?)```/.exec(readme)?.[1] ?? '';
  const options = ['--conditions=@agent/source', '--input-type=module-typescript', '--eval', example];
  const { stdout } = await promisify(execFile)(process.execPath, options, { cwd: folder });
  expect(stdout).toMatch(/^200 1 http:\/\/127\.0\.0\.1:\d+\/v1\n$/);
});
