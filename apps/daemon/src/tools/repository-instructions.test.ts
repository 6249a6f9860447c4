import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readRepositoryInstructions } from './repository-instructions.ts';

let base: string;
let root: string;

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'instructions-'));
  root = join(base, 'work');
  await mkdir(join(root, '.github'), { recursive: true });
});

afterEach(() => rm(base, { recursive: true, force: true }));

it('joins the files under one heading, in a fixed order', async () => {
  await writeFile(join(root, '.github/copilot-instructions.md'), 'three\n');
  await writeFile(join(root, 'CLAUDE.md'), '\ntwo\n');
  await writeFile(join(root, 'AGENTS.md'), 'one\n');
  expect(await readRepositoryInstructions(root)).toBe(
    '## Project-Specific Agent Rules\n\n### AGENTS.md\n\none\n\n### CLAUDE.md\n\ntwo\n\n### .github/copilot-instructions.md\n\nthree',
  );
});

it('is null where there are none, or only empty, binary or unreadable ones', async () => {
  expect(await readRepositoryInstructions(root)).toBeNull();
  await writeFile(join(root, 'AGENTS.md'), ' \n');
  await writeFile(join(root, 'CLAUDE.md'), Buffer.from('a\0b'));
  await mkdir(join(root, '.github/copilot-instructions.md'));
  expect(await readRepositoryInstructions(root)).toBeNull();
});

it('gives a text once that stands under two names, and ignores links that lead out', async () => {
  await writeFile(join(base, 'secret.md'), 'secret');
  await writeFile(join(root, 'AGENTS.md'), 'one');
  await symlink('AGENTS.md', join(root, 'CLAUDE.md'));
  await symlink('../../secret.md', join(root, '.github/copilot-instructions.md'));
  expect(await readRepositoryInstructions(root)).toBe(
    '## Project-Specific Agent Rules\n\n### AGENTS.md\n\none',
  );
});

it('cuts a file at 100 KB between characters, and says so', async () => {
  await writeFile(join(root, 'AGENTS.md'), `a${'界'.repeat(100_000)}`);
  const text = (await readRepositoryInstructions(root)) ?? '';
  expect(text).toContain('界\n\n(cut here: the file has 300001 bytes)');
  expect(text).not.toContain('\uFFFD');
  expect(Buffer.byteLength(text)).toBeLessThan(100 * 1024 + 200);
});
