import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import { endProcessGroup } from '../machine/end-processes.ts';
import { searchedDirectories } from '../sandbox/sandbox-arguments.ts';
import { WorkspaceError } from '../workspace-error.ts';

/** One git process, run to its end without a shell and in a process group of its own. */
export interface GitCall {
  readonly gitPath: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Working directory; the repository itself is named by the environment. */
  readonly directory: string;
  /** Written to standard input; nothing by default. */
  readonly input?: string | Uint8Array | undefined;
  /** Written to the pipe that the helper of git's login reads; no such pipe by default. */
  readonly login?: string | undefined;
  /** Gets what git writes to standard output, of any length, instead of the result. */
  readonly onOutput?: ((chunk: Buffer) => void) | undefined;
  readonly timeoutMs: number;
  /** True when it talks to a server: only then is it worth another try after it took too long. */
  readonly remote: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Receives its duration. Default nothing. */
  readonly measure?: GitMeasure | undefined;
}

interface GitMeasure {
  readonly operation: GitOperation;
  readonly now: () => number;
  readonly onCommand: OnGitCommand;
}

/** Kind of a git command. `clone`: the first fetch of a repository. `worktree`: writing the files of a worktree. */
export type GitOperation = 'clone' | 'fetch' | 'push' | 'worktree' | 'other';

/** A git command that has ended. */
export interface EndedGitCommand {
  readonly operation: GitOperation;
  readonly durationMs: number;
  /** True for an exit code other than 0, which some commands have for an answer such as "no such branch". */
  readonly failed: boolean;
}

/** Receives git commands that have ended. */
export type OnGitCommand = (command: EndedGitCommand) => void;

export interface GitResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

const maxStdoutBytes = 128 * 1024 * 1024;
const maxStderrBytes = 64 * 1024;

/**
 * Runs git. Resolves with its exit code, whatever that is.
 *
 * @throws WorkspaceError `git-missing` when it cannot be started; when it took longer than `timeoutMs`, `unavailable` with a
 * server and `git-failed` without; the signal's reason when aborted.
 */
export async function runGit(call: GitCall): Promise<GitResult> {
  const { measure } = call;
  const beganAt = measure?.now() ?? 0;
  let failed = true;
  try {
    const result = await runToEnd(call);
    failed = result.exitCode !== 0;
    return result;
  } finally {
    if (measure !== undefined) {
      const durationMs = Math.max(0, measure.now() - beganAt);
      measure.onCommand({ operation: measure.operation, durationMs, failed });
    }
  }
}

/** Names the kind of a command with these arguments. */
export function toOperation(args: readonly string[]): GitOperation {
  const [name = ''] = args;
  if (name === 'read-tree' && args.includes('-u')) return 'worktree';
  return name === 'fetch' || name === 'push' ? name : 'other';
}

function runToEnd(call: GitCall): Promise<GitResult> {
  call.signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const child = spawn(call.gitPath, call.args, {
      cwd: call.directory,
      env: withoutOwnPrograms(call),
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe', ...(call.login === undefined ? [] : ['pipe' as const])],
    }) as ChildProcessWithoutNullStreams;
    const output = collect(call.onOutput ? Readable.from([]) : child.stdout, maxStdoutBytes);
    if (call.onOutput) child.stdout.on('data', call.onOutput);
    const errors = collect(child.stderr, maxStderrBytes);
    let failure: unknown;
    const end = (reason: unknown) => {
      failure ??= reason;
      endProcessGroup(child.pid);
    };
    const onAbort = () => end(call.signal?.reason);
    const timer = setTimeout(() => end(timedOut(call)), call.timeoutMs);
    call.signal?.addEventListener('abort', onAbort, { once: true });
    const settle = (finish: () => void) => {
      clearTimeout(timer);
      call.signal?.removeEventListener('abort', onAbort);
      finish();
    };
    child.once('error', (error) => settle(() => reject(cannotStart(call, error))));
    child.once('close', (code) =>
      settle(() => {
        if (failure !== undefined) reject(failure);
        else if (output.overflowed()) reject(tooMuch(call));
        else resolve({ exitCode: code ?? 128, stdout: output.text(), stderr: errors.text() });
      }),
    );
    // A git that ends before it has read everything closes the pipe; its exit code tells the story.
    child.stdin.on('error', () => undefined);
    child.stdin.end(call.input ?? '');
    giveLogin(child.stdio[3], call.login);
  });
}

/** Git, and what it starts, is looked for from the directory it works in: a repository brings no programs that may stand for the machine's. */
function withoutOwnPrograms({ environment, directory }: GitCall): GitCall['environment'] {
  const { PATH: path } = environment;
  if (path === undefined) return environment;
  return {
    ...environment,
    PATH: searchedDirectories({ path, worktree: directory }).join(':') || '/nonexistent',
  };
}

/** Writes the login to git; one that nobody reads goes with the process. */
function giveLogin(pipe: unknown, login: string | undefined): void {
  if (login === undefined || !(pipe instanceof Writable)) return;
  pipe.on('error', () => undefined);
  pipe.end(login);
}

function collect(stream: NodeJS.ReadableStream, maxBytes: number) {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= maxBytes) chunks.push(chunk);
  });
  return { text: () => Buffer.concat(chunks).toString('utf8'), overflowed: () => size > maxBytes };
}

function cannotStart(call: GitCall, cause: Error): WorkspaceError {
  return new WorkspaceError(
    `git could not be started as "${call.gitPath}" in ${call.directory}. Install git 2.31 or newer, or configure its path.`,
    { code: 'git-missing', cause },
  );
}

function timedOut(call: GitCall): WorkspaceError {
  const seconds = Math.round(call.timeoutMs / 1000);
  const ended = `git ${call.args[0] ?? ''} did not finish within ${seconds} s and was ended.`;
  if (call.remote) {
    return new WorkspaceError(`${ended} Try again, or raise the time limit.`, { code: 'unavailable' });
  }
  return new WorkspaceError(
    `${ended} It uses only this machine, so another try does not help: check for endless files in the task's worktree, or for a very slow disk.`,
    { code: 'git-failed' },
  );
}

function tooMuch(call: GitCall): WorkspaceError {
  return new WorkspaceError(`git ${call.args[0] ?? ''} wrote more than can be handled at once.`, {
    code: 'git-failed',
  });
}
