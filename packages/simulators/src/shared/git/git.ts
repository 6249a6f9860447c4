import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { devNull } from 'node:os';
import { LastingAnswers } from './lasting-answers.ts';

/** Runs git in the simulator's repositories and remembers what runs, so that closing leaves nothing behind. */
export interface Git {
  /** Folder of all repositories, `{owner}/{name}.git` below it. */
  readonly root: string;
  /** Standard output of a command. @throws {GitFailure} when it ends with another code than 0. */
  readonly read: (directory: string, args: readonly string[], input?: string | Buffer) => Promise<Buffer>;
  /** Standard output, or null when the command ends with another code than 0. */
  readonly tryRead: (directory: string, args: readonly string[]) => Promise<Buffer | null>;
  /** Like `read`, but at once: for what a caller that can't wait must have done. */
  readonly readSync: (
    directory: string,
    args: readonly string[],
    environment?: Record<string, string>,
  ) => string;
  /** Starts a command with its streams open. */
  readonly start: (
    args: readonly string[],
    environment: Record<string, string>,
  ) => ChildProcessWithoutNullStreams;
  /** Ends whatever still runs, with all its children, and waits until it has ended. */
  readonly stop: () => Promise<void>;
}

/** A git command that did not end well: its exit code, and in the message what it said. */
export class GitFailure extends Error {
  readonly exitCode: number | null;

  constructor(args: readonly string[], exitCode: number | null, stderr: string) {
    super(`git ${args[0]} ended with code ${exitCode}: ${stderr.trim()}`);
    this.name = 'GitFailure';
    this.exitCode = exitCode;
  }
}

/** Git for the repositories below `root`. */
export function createGit(root: string): Git {
  const running = new Set<ChildProcessWithoutNullStreams>();
  const [streamed, whole] = [new LastingAnswers(isNo), new LastingAnswers(isNo)];
  const base = gitEnvironment(root);
  let stopped = false;

  const start: Git['start'] = (args, environment) => {
    if (stopped) throw new Error('The simulator is closed.');
    // A process group of its own: http-backend's children must be reachable when it is ended.
    const child = spawn('git', args, { cwd: root, env: { ...base, ...environment }, detached: true });
    running.add(child);
    child.once('close', () => running.delete(child));
    return child;
  };

  const run: Git['read'] = async (directory, args, input) => {
    const child = start(args, { GIT_DIR: directory });
    const { exitCode, stdout, stderr } = await collect(child, input);
    if (exitCode !== 0) throw new GitFailure(args, exitCode, stderr);
    return stdout;
  };
  const read: Git['read'] = async (directory, args, input) =>
    input === undefined
      ? streamed.keep(directory, args, () => run(directory, args))
      : run(directory, args, input);

  return {
    root,
    start,
    read,
    tryRead: (directory, args) =>
      read(directory, args).catch((error: unknown) => {
        if (error instanceof GitFailure && error.exitCode !== null) return null;
        throw error;
      }),
    readSync: (directory, args, environment = {}) =>
      whole.keep(directory, args, () => {
        const env = { ...base, ...environment, GIT_DIR: directory };
        const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, env, encoding: 'utf8' });
        if (status !== 0) throw new GitFailure(args, status, stderr || stdout);
        return stdout.trim();
      }),
    stop: async () => {
      stopped = true;
      await Promise.all([...running].map(endGroup));
    },
  };
}

/** What a question that git answers with yes or no ends with. */
const isNo = (error: unknown): boolean => error instanceof GitFailure && error.exitCode === 1;

async function collect(child: ChildProcessWithoutNullStreams, input: string | Buffer = '') {
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  // A command that ends early closes its input; its exit code tells why.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { exitCode, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString('utf8') };
}

async function endGroup(child: ChildProcessWithoutNullStreams): Promise<void> {
  if (child.pid === undefined) return;
  // Its output closes when the last process of its group that holds it has ended.
  const closed = new Promise((resolve) => child.once('close', resolve));
  child.stdout.resume();
  child.stderr.resume();
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
  await closed;
}

/**
 * What git is told about its surroundings: nothing of the user's own configuration, identity or current repository,
 * so that the simulator behaves alike on every machine, as root and as an ordinary user.
 * @see https://git-scm.com/docs/git#_environment_variables
 */
function gitEnvironment(home: string): Record<string, string> {
  return {
    // The only thing taken from outside: where the git program is.
    PATH: process.env.PATH ?? '',
    HOME: home,
    LC_ALL: 'C',
    GIT_CONFIG_GLOBAL: devNull,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'safe.directory',
    GIT_CONFIG_VALUE_0: '*',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
  };
}
