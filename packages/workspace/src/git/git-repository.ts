import type { CallOptions } from '@agent/platforms';
import type { Logger } from '@agent/text';
import type { WorkspaceErrorCode } from '../workspace-error.ts';
import { explainGitFailure, isLoginRefused } from './explain-git-failure.ts';
import {
  type Environment,
  formatLogin,
  type GitIdentity,
  type GitLogin,
  type GitPlace,
  type GitSignature,
  gitEnvironment,
} from './git-environment.ts';
import { restoreKnownFiles } from './known-files.ts';
import {
  type GitCall,
  type GitOperation,
  type GitResult,
  type OnGitCommand,
  runGit,
  toOperation,
} from './run-git.ts';
import { findSigningFailure, type SigningKey } from './signing-key.ts';
import type { CloneAddress } from './workspace-task.ts';

/** Facts about the login that git needs. */
export interface GitTokenOptions extends CallOptions {
  /** Address of the repository, without credentials. */
  readonly cloneUrl?: string | undefined;
  /** Token that the server has just refused: the answer is another one if there is another, else the same. */
  readonly refused?: string | undefined;
}

/** Gives the token for one git command, or a login with a user name of its own; null to work without logging in. */
export type GitToken = (
  options?: GitTokenOptions,
) => string | GitLogin | null | Promise<string | GitLogin | null>;

/** A push that was not sent. */
export interface WithheldPush {
  /** Path of the repository: `acme/shop`. */
  readonly repository: string;
  readonly branch: string;
  /** Commits that the server does not have, oldest first. */
  readonly commits: readonly { readonly sha: string; readonly message: string }[];
  /** Files that the branch changes, compared with its base branch, sorted by path. */
  readonly files: readonly { readonly path: string; readonly change: 'added' | 'modified' | 'deleted' }[];
}

/** Settings that every git process shares. */
export interface GitContext {
  /** Absolute path below which everything is kept. */
  readonly directory: string;
  readonly gitPath: string;
  readonly identity: GitIdentity;
  readonly token: GitToken;
  readonly username: string;
  readonly inherited: Environment;
  readonly now: () => number;
  readonly fetch: typeof globalThis.fetch;
  readonly timeoutMs: number;
  /** True to fetch from and push to repositories on this machine. */
  readonly localRepositories: boolean;
  /** Most bytes that a git which talks to a server may write into one file; it is ended at more. Default any number. */
  readonly maxFileBytes?: number | undefined;
  readonly logger: Pick<Logger, 'warn'> | undefined;
  /** Receives each command when it ends. Default nothing. */
  readonly onCommand?: OnGitCommand | undefined;
  /** Receives each push instead of the server. Default: pushes are sent. */
  readonly withhold?: ((push: WithheldPush) => void) | undefined;
  /** Signs the commits of tasks; null, the default, leaves them unsigned. */
  readonly signingKey?: SigningKey | null | undefined;
  /** The key, lent to the command that makes a commit. */
  readonly signature?: GitSignature | undefined;
}

/** Makes the context of a git that neither commits nor logs in. */
export function createPlainContext({
  directory,
  environment,
}: {
  readonly directory: string;
  readonly environment: GitContext['inherited'];
}): GitContext {
  return {
    directory,
    gitPath: 'git',
    identity: { name: '', email: '' },
    token: () => null,
    username: '',
    inherited: environment,
    now: Date.now,
    fetch: globalThis.fetch,
    timeoutMs: 600_000,
    localRepositories: false,
    logger: undefined,
  };
}

/** One command of git. */
export interface GitCommand extends CallOptions {
  readonly args: readonly string[];
  /** Default: by its first argument. */
  readonly operation?: GitOperation | undefined;
  /** The work, for the error: `Committing in owner/repo`. */
  readonly doing: string;
  readonly input?: string | Uint8Array | undefined;
  /** Gets what git writes to standard output, as it is, instead of the result. */
  readonly onOutput?: ((chunk: Buffer) => void) | undefined;
  readonly fallback?: WorkspaceErrorCode | undefined;
  /** The server that this process talks to: it gets the token for this one alone, and no other protocol is open. */
  readonly remote?: CloneAddress | undefined;
  /** Resolve whatever the exit code is; otherwise an exit code other than 0 rejects. Default false. */
  readonly anyExit?: boolean | undefined;
}

/**
 * Runs one git command at a place whose configuration was just brought back to what we wrote. Where the server refuses the token, it is
 * run once more with another one, if there is another by then.
 */
export async function git(context: GitContext, place: GitPlace, command: GitCommand): Promise<GitResult> {
  await restoreKnownFiles(place);
  const { args, signal } = command;
  const server = command.remote?.server ?? null;
  const asked = { cloneUrl: command.remote?.text ?? '', signal };
  const login = server === null ? null : await askForLogin(context, asked);
  let result = await runOnce(context, place, { ...command, login });
  if (login !== null && result.exitCode !== 0 && isLoginRefused(result.stderr)) {
    const other = await askForLogin(context, { ...asked, refused: login.token });
    if (other !== null && other.token !== login.token)
      result = await runOnce(context, place, { ...command, login: other });
  }
  if (result.exitCode === 0) return result;
  const unsigned = context.signature && findSigningFailure(context.signature.source, result.stderr);
  if (unsigned) throw unsigned;
  if (command.anyExit === true) return result;
  throw explainGitFailure({
    doing: command.doing,
    stderr: `${result.stderr}\n${args[0] === 'push' ? result.stdout : ''}`,
    fallback: command.fallback ?? 'git-failed',
  });
}

/** Asks for the login at a repository, with the user name of the context unless the answer has its own. */
export async function askForLogin(
  { token, username }: Pick<GitContext, 'token' | 'username'>,
  options: GitTokenOptions,
): Promise<GitLogin | null> {
  const given = await token(options);
  return typeof given === 'string' ? { username, token: given } : given;
}

async function runOnce(
  context: GitContext,
  place: GitPlace,
  {
    login,
    remote,
    args,
    input,
    operation,
    onOutput,
    signal,
  }: GitCommand & {
    readonly login: GitLogin | null;
  },
): Promise<GitResult> {
  const { timeoutMs, now, onCommand } = context;
  const token = login?.token ?? null;
  const server = login === null ? null : remote?.server;
  const result = await runGit({
    ...toProgram(context, { args, remote }),
    environment: {
      ...gitEnvironment(place, { ...context, server, now: now() }),
      ...(remote?.server === null ? { GIT_ALLOW_PROTOCOL: 'file' } : {}),
    },
    directory: place.workTree ?? place.commonDirectory,
    input,
    login: login === null ? undefined : formatLogin(login),
    onOutput,
    timeoutMs,
    remote: remote !== undefined,
    signal,
    measure: onCommand && { operation: operation ?? toOperation(args), now, onCommand },
  });
  const { stdout, stderr } = result;
  return { ...result, stderr: withoutToken(stderr, token), stdout: withoutToken(stdout, token) };
}

/** Has the kernel keep the size of files: what a server sends is one pack. */
function toProgram(
  { gitPath, maxFileBytes }: GitContext,
  { args, remote }: Pick<GitCommand, 'args' | 'remote'>,
): Pick<GitCall, 'gitPath' | 'args'> {
  if (maxFileBytes === undefined || remote === undefined) return { gitPath, args };
  const limit = `ulimit -f ${Math.ceil(maxFileBytes / 512)}; exec "$@"`;
  return { gitPath: '/bin/sh', args: ['-c', limit, 'sh', gitPath, '-c', 'fetch.unpackLimit=1', ...args] };
}

/** The one line that a command like `rev-parse` prints; null when it fails. */
export async function gitLine(
  context: GitContext,
  place: GitPlace,
  options: { readonly args: readonly string[]; readonly signal?: AbortSignal | undefined },
): Promise<string | null> {
  const result = await git(context, place, {
    ...options,
    doing: `git ${options.args[0] ?? ''}`,
    anyExit: true,
  });
  return result.exitCode === 0 ? result.stdout.trim() : null;
}

/** Runs a command and gives what it writes to standard output, as it is. */
export async function gitBytes(context: GitContext, place: GitPlace, command: GitCommand): Promise<Buffer> {
  const chunks: Buffer[] = [];
  await git(context, place, { ...command, onOutput: (chunk) => chunks.push(chunk) });
  return Buffer.concat(chunks);
}

/** The tip of a ref; null when there is no such ref. */
export function tipOf(
  context: GitContext,
  place: GitPlace,
  options: { readonly ref: string; readonly signal?: AbortSignal | undefined },
): Promise<string | null> {
  return gitLine(context, place, {
    args: ['rev-parse', '--verify', '--quiet', `${options.ref}^{commit}`],
    signal: options.signal,
  });
}

/** The tips of several refs, in their order, read at one moment by one process; null where there is no such ref. */
export async function tipsOf(
  context: GitContext,
  place: GitPlace,
  { refs, signal }: { readonly refs: readonly string[]; readonly signal?: AbortSignal | undefined },
): Promise<readonly (string | null)[]> {
  const { stdout } = await git(context, place, {
    args: ['cat-file', '--batch-check=%(objectname)'],
    input: refs.map((ref) => `${ref}^{commit}\n`).join(''),
    doing: 'Reading branches',
    signal,
  });
  const lines = stdout.split('\n');
  return refs.map((_, index) =>
    /^[0-9a-f]{40,64}$/.test(lines[index] ?? '') ? (lines[index] ?? null) : null,
  );
}

/** Points refs at commits in this order, whatever they pointed at: all of them, or none when git says no. */
export async function updateRefs(
  context: GitContext,
  place: GitPlace,
  { refs, signal }: { readonly refs: readonly RefUpdate[] } & CallOptions,
): Promise<void> {
  const input = refs.map(({ ref, sha }) => (sha === null ? `delete ${ref}\n` : `update ${ref} ${sha}\n`));
  const doing = `Writing ${refs.map(({ ref }) => ref).join(', ')}`;
  await git(context, place, { args: ['update-ref', '--stdin'], input: input.join(''), doing, signal });
}

interface RefUpdate {
  readonly ref: string;
  /** Null to remove it; one that is not there is fine. */
  readonly sha: string | null;
}

function withoutToken(text: string, token: string | null): string {
  if (token === null || token === '') return text;
  return [token, encodeURIComponent(token)].reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
}
