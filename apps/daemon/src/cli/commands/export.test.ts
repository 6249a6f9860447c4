import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runCommand } from '../../../test/support/command.ts';
import { type KeptRuns, makeKeptRuns } from '../../../test/support/kept-runs.ts';
import { exportCommand } from './export.ts';

const uuid = '11110000-0000-4000-8000-000000000001';
let kept: KeptRuns;
beforeEach(async () => {
  kept = await makeKeptRuns();
  await kept.add({ uuid, number: 1, state: 'failed' });
});
afterEach(() => kept.close());

const write = (task: string, output: string) =>
  runCommand((io) => exportCommand({ config: kept.configFile, task, output }, io));

it('writes one run as a file that loads nothing and runs nothing, and overwrites none [NX-334]', async () => {
  const path = join(kept.contexts, '..', 'run.html');
  expect((await write('acme/shop#1', path)).code).toBe(0);
  const html = await readFile(path, 'utf8');
  expect(html).toContain('acme/shop#1');
  expect(html).toContain("default-src 'none'");
  expect(html).not.toContain('<script');
  const again = await write(uuid.slice(0, 8), path);
  expect(again.code).toBe(1);
  expect(again.errors).toContain('already exists');
});

it('says that there is no such task [NX-334]', async () => {
  const { code, errors } = await write('acme/shop#9', '/nowhere/run.html');
  expect(code).toBe(1);
  expect(errors).toContain('There is no task acme/shop#9.');
});
