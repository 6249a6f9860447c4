import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clearLeftovers, daemonVariable } from './directories.ts';

let directory: string;
const started: ChildProcess[] = [];

beforeEach(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), 'workspaces-')));
});

afterEach(async () => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
  await rm(directory, { recursive: true, force: true });
});

/** Stands for a git: what matters is the environment that it was given. */
async function startGit(environment: Readonly<Record<string, string>>): Promise<ChildProcess> {
  const program = "process.stdout.write('up'); setInterval(() => {}, 1000)";
  const env = { PATH: process.env.PATH, ...environment };
  const child = spawn(process.execPath, ['-e', program], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(child);
  if (child.stdout !== null) await once(child.stdout, 'data');
  return child;
}

describe('clearLeftovers', () => {
  it('removes helpers and homes, and nothing else', async () => {
    for (const name of ['.agent-home-1/tmp', 'worktrees', 'github.com']) {
      await mkdir(join(directory, name), { recursive: true });
    }
    await clearLeftovers(directory);
    expect((await readdir(directory)).sort()).toEqual(['github.com', 'worktrees']);
  });

  it("ends git that lost its daemon, not this process's own and not that of other directories [RL-9]", async () => {
    const mirror = join(directory, 'github.com/acme/shop.git');
    const [left, own, elsewhere] = await Promise.all([
      startGit({ GIT_COMMON_DIR: mirror, [daemonVariable]: '1' }),
      startGit({ GIT_COMMON_DIR: mirror, [daemonVariable]: String(process.pid) }),
      startGit({ GIT_COMMON_DIR: `${directory}-2/shop.git`, [daemonVariable]: '1' }),
    ]);
    await Promise.all([once(left, 'exit'), clearLeftovers(directory)]);
    expect([left, own, elsewhere].map(({ signalCode }) => signalCode)).toEqual(['SIGKILL', null, null]);
  });
});
