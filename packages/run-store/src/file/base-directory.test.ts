import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { keepPrivate } from './base-directory.ts';

let base: string;
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'keep-private-'));
});
afterEach(() => rm(base, { recursive: true, force: true }));

const modeOf = async (...parts: readonly string[]) => (await stat(join(base, ...parts))).mode & 0o777;

it('makes the directory of runs for its own account alone [NX-35]', async () => {
  await keepPrivate(join(base, 'contexts'));
  expect(await modeOf('contexts')).toBe(0o700);
});

it('closes what others left open, and leaves alone what is not ours beside it [NX-35]', async () => {
  await chmod(base, 0o755);
  for (const name of ['running', 'completed', 'theirs']) {
    await mkdir(join(base, name));
    await chmod(join(base, name), 0o755);
  }
  await writeFile(join(base, 'recent.jsonl'), '');
  await chmod(join(base, 'recent.jsonl'), 0o644);
  await keepPrivate(base);
  expect([await modeOf('running'), await modeOf('completed'), await modeOf('recent.jsonl')]).toEqual([
    0o700, 0o700, 0o600,
  ]);
  expect([await modeOf(), await modeOf('theirs')]).toEqual([0o755, 0o755]);
});
