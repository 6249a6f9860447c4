import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOutgoingGate } from '@agent/text/outgoing';
import type { WorkspaceTask } from '../git/workspace-task.ts';
import { type CommandSandbox, chooseSandbox } from '../sandbox/sandbox.ts';
import { createGitWorkspaces, type GitWorkspaces } from '../worktrees/git-workspaces.ts';
import type { GitWorkspacesOptions } from '../worktrees/workspaces-options.ts';
import { type GitServer, startGitServer } from './git-server.ts';

/** A git server with the repository `acme/shop`, and an empty directory for workspaces. */
export interface WorkspaceBed {
  readonly server: GitServer;
  /** The test's own directory; the workspaces are in `kept` below it. */
  readonly directory: string;
  readonly cloneUrl: string;
  /** Workspaces as a new process makes them. */
  readonly workspaces: (options?: Partial<GitWorkspacesOptions>) => GitWorkspaces;
  readonly task: (change?: Partial<WorkspaceTask>) => WorkspaceTask;
  readonly close: () => Promise<void>;
}

/** The only token that the server takes. */
export const bedToken = 'ghp_secret0123456789';

/** Starts the git server, with the repository in it. */
export async function startWorkspaceBed(): Promise<WorkspaceBed> {
  const server = await startGitServer({ token: bedToken });
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'workspaces-')));
  const cloneUrl = await server.addRepository('acme/shop', {
    'README.md': 'shop\n',
    'src/a.txt': 'one\ntwo\n',
  });
  return {
    server,
    directory,
    cloneUrl,
    workspaces: (options = {}) =>
      createGitWorkspaces({
        directory: join(directory, 'kept'),
        token: () => bedToken,
        gate: createOutgoingGate({ secrets: [bedToken], places: [] }),
        authorName: 'Agent',
        authorEmail: 'agent@example.com',
        now: () => Date.parse('2026-01-02T03:04:05Z'),
        timeoutMs: 20_000,
        ...options,
      }),
    task: (change = {}) => ({
      uuid: 'run-1',
      host: server.host,
      repositoryPath: 'acme/shop',
      cloneUrl,
      branch: 'agent/issue-1-fix',
      baseBranch: 'main',
      ...change,
    }),
    close: async () => {
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

type Bubblewrap = CommandSandbox & { readonly kind: 'bubblewrap' };

let found: Promise<Bubblewrap | null> | undefined;

/** The sandbox of this machine; null, and a line on standard error, where there is none to test. */
export function findSandbox(): Promise<Bubblewrap | null> {
  found ??= chooseSandbox({ mode: 'required', allowRoot: true }).then(
    (sandbox) => sandbox as Bubblewrap,
    (error: Error) => {
      process.stderr.write(`NOT SHOWN HERE, because there is no sandbox: ${error.message}\n`);
      return null;
    },
  );
  return found;
}

/** A test's name, which says where there is nothing to show. */
export function sandboxed(name: string, sandbox: Bubblewrap | null): string {
  return sandbox === null ? `NOT SHOWN HERE, bubblewrap does not work: ${name}` : name;
}

/** A test's name, which says where a program is missing that it needs. */
export function withProgram(name: string, program: string): string {
  return isInstalled(program) ? name : `NOT SHOWN HERE, ${program} is not installed: ${name}`;
}

/** Tells whether a program is on PATH. */
export function isInstalled(program: string): boolean {
  return (process.env.PATH ?? '').split(':').some((directory) => existsSync(join(directory, program)));
}

/** Reads what any user of the machine can read of running processes: their command lines. */
export function listCommandLines(): Promise<readonly string[]> {
  return readOfProcesses('cmdline');
}

/** Reads what their own user can read of running processes: the variables that each was started with. */
export function listEnvironments(): Promise<readonly string[]> {
  return readOfProcesses('environ');
}

async function readOfProcesses(file: 'cmdline' | 'environ'): Promise<readonly string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const read = ids.map((id) => readFile(`/proc/${id}/${file}`, 'utf8').catch(() => ''));
  return (await Promise.all(read)).map((line) => line.replaceAll('\0', ' '));
}
