import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Runs the real git in a folder as somebody's own git would, for tests; rejects with what it said. */
export async function runGit(folder: string, args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)('git', ['-C', folder, ...args], {
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_TERMINAL_PROMPT: '0',
      GIT_AUTHOR_NAME: 'Agent',
      GIT_AUTHOR_EMAIL: 'agent@example.org',
      GIT_COMMITTER_NAME: 'Agent',
      GIT_COMMITTER_EMAIL: 'agent@example.org',
    },
  });
  return stdout + stderr;
}
