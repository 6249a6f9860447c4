import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findLine, moveLine, numberLines } from './diff-lines.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'diff-lines-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const before = Array.from({ length: 12 }, (_, index) => `line ${index}`);

/** A file in which some lines are gone and some are new, told by the digits of a number. */
function changed(seed: number): readonly string[] {
  let rest = seed * 2_654_435_761;
  return before.flatMap((line, index) => {
    const choice = rest % 5;
    rest = Math.floor(rest / 5) || seed * 7_919 + index;
    if (choice === 0) return [];
    return choice === 1 ? [`new ${index}`, line] : [line];
  });
}

async function difference(after: readonly string[], context: number): Promise<string> {
  await writeFile(join(folder, 'before'), `${before.join('\n')}\n`);
  await writeFile(join(folder, 'after'), after.map((line) => `${line}\n`).join(''));
  const args = ['diff', '--no-index', '--minimal', `-U${context}`, 'before', 'after'];
  const { stdout } = spawnSync('git', args, { cwd: folder, encoding: 'utf8' });
  return stdout.slice(Math.max(0, stdout.indexOf('@@'))).replace(/\n$/, '');
}

describe('lines of a diff', () => {
  it.each(Array.from({ length: 25 }, (_, index) => index + 1))(
    'are where git has them after a change (%i)',
    async (seed) => {
      const after = changed(seed);
      const patch = await difference(after, 0);
      const moved = before.map((_, index) => moveLine(patch, index + 1));
      expect(moved).toEqual(before.map((line) => (after.includes(line) ? after.indexOf(line) + 1 : null)));
      const shown = numberLines(await difference(after, 3));
      for (const { left, right } of shown) {
        if (left !== null && right !== null) expect(after[right - 1]).toBe(before[left - 1]);
        if (left !== null && right === null) expect(after).not.toContain(before[left - 1]);
        if (right !== null && left === null) expect(before).not.toContain(after[right - 1]);
      }
      const added = after.findIndex((line) => line.startsWith('new')) + 1;
      expect(added === 0 || findLine(shown, 'RIGHT', added)?.left === null).toBe(true);
    },
  );
});
