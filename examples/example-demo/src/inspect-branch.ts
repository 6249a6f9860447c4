import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { demoFault } from '@agent/simulators/demo/parts';

export interface TestRun {
  readonly passed: boolean;
  readonly output: string;
  /** What the expression printed, with the project's `totalOf` at hand; null where that failed. */
  readonly value: string | null;
}

/** The unified diff between two branches of a bare repository, from where they parted. */
export async function diffBranches(
  gitDirectory: string,
  { base, head }: { readonly base: string; readonly head: string },
): Promise<string> {
  const args = ['--git-dir', gitDirectory, 'diff', '--no-color', '--no-ext-diff', `${base}...${head}`];
  const { code, output } = await run('git', args);
  if (code !== 0) throw new Error(`git cannot compare ${base} and ${head}: ${output.trim()}`);
  return output.trimEnd();
}

/** The commit at which a branch of a bare repository stands. */
export async function readHead(gitDirectory: string, branch: string): Promise<string> {
  const { code, output } = await run('git', ['--git-dir', gitDirectory, 'rev-parse', `refs/heads/${branch}`]);
  if (code !== 0) throw new Error(`git knows no branch ${branch}: ${output.trim()}`);
  return output.trim();
}

/** Subjects of the commits that a branch adds to its base, the newest first. */
export async function listCommits(
  gitDirectory: string,
  { base, head }: { readonly base: string; readonly head: string },
): Promise<readonly string[]> {
  const { code, output } = await run('git', [
    '--git-dir',
    gitDirectory,
    'log',
    '--format=%s',
    `${base}..${head}`,
  ]);
  if (code !== 0) throw new Error(`git cannot list the commits of ${head}: ${output.trim()}`);
  return output
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '');
}

/** Clones one branch into the scratch directory, runs the project's tests and works out an expression there, for real. */
export async function testBranch(
  gitDirectory: string,
  {
    branch,
    scratch,
    expression,
  }: { readonly branch: string; readonly scratch: string; readonly expression: string },
): Promise<TestRun> {
  const clone = join(scratch, 'clone');
  try {
    const cloned = await run('git', ['clone', '--quiet', '--branch', branch, gitDirectory, clone]);
    if (cloned.code !== 0) throw new Error(`git cannot clone ${branch}: ${cloned.output.trim()}`);
    const { code, output } = await run(process.execPath, ['--test', '--test-reporter=spec'], clone);
    const program = `import { totalOf } from './${demoFault.file}'; console.log(${expression});`;
    const value = await run(process.execPath, ['--input-type=module', '--eval', program], clone);
    return {
      passed: code === 0,
      output: output.trimEnd(),
      value: value.code === 0 ? value.output.trim() : null,
    };
  } finally {
    await rm(clone, { recursive: true, force: true });
  }
}

function run(
  command: string,
  args: readonly string[],
  directory?: string,
): Promise<{ readonly code: number; readonly output: string }> {
  const { NODE_TEST_CONTEXT: _, NODE_OPTIONS: __, ...environment } = process.env;
  const options = { cwd: directory, env: { ...environment, GIT_CONFIG_GLOBAL: '/dev/null', NO_COLOR: '1' } };
  return new Promise((resolve, reject) => {
    execFile(command, [...args], options, (error, stdout, stderr) => {
      if (typeof error?.code === 'string') reject(error);
      else resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: stdout + stderr });
    });
  });
}
