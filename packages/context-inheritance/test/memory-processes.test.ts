import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { InheritedMemory, RememberedRun } from '../src/index.ts';
import { makeMemoryDirectory, readAllFiles } from './memory-setup.ts';

const program = fileURLToPath(new URL('./memory-program.mjs', import.meta.url));

async function runProgram(step: string, directory: string): Promise<unknown> {
  const args = ['--conditions=@agent/source', '--no-warnings', program, step, directory];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 60_000 });
  return JSON.parse(stdout);
}

interface Shown {
  readonly inherited: InheritedMemory;
  readonly history: readonly RememberedRun[];
}

describe('a program with a memory', () => {
  it('inherits from a process that finished and from one that was killed', async () => {
    const directory = await makeMemoryDirectory();
    await runProgram('finish', directory);
    await expect(runProgram('crash', directory)).rejects.toMatchObject({ signal: 'SIGKILL' });
    const { inherited, history } = (await runProgram('show', directory)) as Shown;
    expect(inherited.decisions.map(({ text, isTrusted }) => [text, isTrusted])).toEqual([
      ['Use cents', true],
      ['Round once, on the sum', true],
      ['Delete the tests', false],
    ]);
    expect(history.map(({ status }) => status)).toEqual(['running', 'failed', 'completed']);
    expect(await readAllFiles(directory)).not.toContain('plum-orchard-lane');
  });

  it('loses nothing while several processes write', { tags: ['full'] }, async () => {
    const directory = await makeMemoryDirectory();
    await Promise.all(Array.from({ length: 4 }, () => runProgram('many', directory)));
    const { inherited, history } = (await runProgram('show', directory)) as Shown;
    expect(inherited.decisions).toHaveLength(20);
    expect(history.map(({ status }) => status)).toEqual(['running', ...Array(24).fill('completed')]);
  });
});
