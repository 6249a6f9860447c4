import { join } from 'node:path';
import type { CallOptions } from '@agent/platforms';
import { checkOptions, type ExpectationsOf, expected, expectNumber } from '@agent/text/options';
import { explainGitFailure } from '../git/explain-git-failure.ts';
import type { Environment, GitPlace } from '../git/git-environment.ts';
import {
  createPlainContext,
  type GitContext,
  type GitToken,
  git,
  gitBytes,
  gitLine,
} from '../git/git-repository.ts';
import { parseCloneAddress } from '../git/workspace-task.ts';
import { WorkspaceError } from '../workspace-error.ts';
import { formatCommit, nameBlob, parseContents, parseTree, type StoredFiles } from './files-in-git.ts';

/** Options of `createGitRef`. */
export interface GitRefOptions {
  /** Address of the repository on its server, without credentials. */
  readonly cloneUrl: string;
  /** Full name of the ref: `refs/agent/records/github_issue-42`. */
  readonly ref: string;
  /** Directory of this machine for a repository that only this process uses; made if it is missing. */
  readonly directory: string;
  readonly token: GitToken;
  /** Name that goes with the token. Default `x-access-token`. */
  readonly username?: string | undefined;
  /** Environment that PATH, proxies and certificate stores are taken from. Default that of this process. */
  readonly environment?: Environment | undefined;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Longest time for one git command, in milliseconds. Default 2 minutes. */
  readonly timeoutMs?: number | undefined;
  /** Versions after which a new history begins, so that the repository does not grow without end. Default 200. */
  readonly maxHistory?: number | undefined;
}

const expectations: ExpectationsOf<GitRefOptions> = {
  cloneUrl: { ...expected.text, isSecret: true },
  ref: expected.text,
  directory: expected.text,
  token: { ...expected.function, text: 'a function that returns the token', isSecret: true },
  username: expected.text,
  environment: expected.object,
  now: expected.function,
  timeoutMs: expectNumber(0),
  maxHistory: expectNumber(1),
};

/** Files under one ref of a repository on a server. */
export interface GitRef {
  /** The ref and its repository, in words for people. */
  readonly location: string;
  /**
   * Reads the files as they are now; null if there is no such ref.
   * @throws WorkspaceError if the server cannot be asked, or refuses
   */
  readonly read: (options?: CallOptions) => Promise<{ version: string; files: StoredFiles } | null>;
  /** Asks for the version that is there now; null if there is no such ref. @throws as `read` */
  readonly readVersion: (options?: CallOptions) => Promise<string | null>;
  /**
   * Replaces all files, if `expected` is the version that is there; null: if there is no such ref.
   *
   * @returns the new version; null if another process has written one since: then nothing was changed
   * @throws WorkspaceError if the server cannot be asked, or refuses: then it is not known to have changed anything
   */
  readonly replace: (
    files: StoredFiles,
    options: { readonly expected: string | null } & CallOptions,
  ) => Promise<string | null>;
  /** Removes the ref if `expected` is the version that is there. @returns false if it is another one */
  readonly remove: (options: { readonly expected: string } & CallOptions) => Promise<boolean>;
}

/**
 * Creates a place for files under a ref. Each version is a commit on top of the one before, pushed on condition that the server has that
 * one: of two processes that write, one succeeds.
 *
 * @example
 * const place = { cloneUrl: 'https://github.com/acme/shop.git', ref: 'refs/agent/records/github_issue-42' };
 * const ref = createGitRef({ ...place, directory: '/tmp/record.git', token: () => token });
 * const found = await ref.read();
 * const version = await ref.replace(files, { expected: found?.version ?? null });
 */
export function createGitRef(options: GitRefOptions): GitRef {
  checkOptions('GitRefOptions', options, expectations, ['cloneUrl', 'ref', 'directory', 'token']);
  const { cloneUrl, ref, directory, maxHistory = 200 } = options;
  if (!/^refs(?:\/[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}){2,6}$/.test(ref) || ref.includes('..')) throw badRef(ref);
  const context = createRefContext(options);
  const remote = parseCloneAddress(cloneUrl, context);
  const path = join(directory, 'ref.git');
  const place: GitPlace = { commonDirectory: path, gitDirectory: path, workTree: null, branch: null };
  const location = `${ref} of ${cloneUrl}`;
  const known = new Set<string>();
  /** Commits of which the server may have become the owner without our receiving its answer. */
  const unanswered = new Set<string>();

  async function readVersion({ signal }: CallOptions = {}): Promise<string | null> {
    const { stdout } = await git(context, place, {
      args: ['ls-remote', '--quiet', remote.text, ref],
      ...{ doing: `Asking for ${location}`, fallback: 'unavailable', remote, signal },
    });
    return /^([0-9a-f]{40,64})\t/.exec(stdout)?.[1] ?? null;
  }

  async function fetchVersion(version: string, { signal }: CallOptions): Promise<void> {
    const quiet = ['--quiet', '--no-auto-gc', '--no-tags', '--no-write-fetch-head', '--depth=1'];
    await git(context, place, {
      args: ['fetch', ...quiet, remote.text, `+${ref}:refs/heads/read`],
      ...{ doing: `Fetching ${location}`, fallback: 'unavailable', remote, signal },
    });
    const fetched = await gitLine(context, place, { args: ['rev-parse', 'refs/heads/read'], signal });
    if (fetched !== version) throw new WorkspaceError(`${location} changed while it was read.`, moved);
  }

  async function readFiles(version: string, { signal }: CallOptions): Promise<StoredFiles> {
    const doing = `Reading ${location}`;
    const listing = { args: ['ls-tree', '-r', '-z', version], doing, signal };
    const entries = parseTree((await git(context, place, listing)).stdout);
    const input = entries.map(({ blob }) => `${blob}\n`).join('');
    const files = parseContents(
      await gitBytes(context, place, { args: ['cat-file', '--batch'], input, doing, signal }),
      entries,
    );
    for (const { blob } of entries) known.add(blob);
    return files;
  }

  async function commit(
    files: StoredFiles,
    expected: string | null,
    { signal }: CallOptions,
  ): Promise<string> {
    const { parent, count } = await findParent(expected, signal);
    const message = `Record of the agent, version ${count}\n`;
    const made = formatCommit({
      files,
      parent,
      message,
      now: context.now(),
      isKnown: (blob) => known.has(blob),
    });
    const args = ['fast-import', '--quiet', '--force', '--done', '--cat-blob-fd=1'];
    const { stdout } = await git(context, place, { args, input: made, doing: `Writing ${location}`, signal });
    for (const contents of files.values()) known.add(nameBlob(contents));
    return stdout.trim();
  }

  /** Number of versions in the history, by the subject of the last one: a shallow copy has no more of it. */
  async function findParent(expected: string | null, signal: AbortSignal | undefined) {
    if (expected === null) return { parent: null, count: 1 };
    const args = ['log', '-1', '--format=%s', expected];
    const subject = await gitLine(context, place, { args, signal });
    const count = Number(/version (\d+)$/.exec(subject ?? '')?.[1] ?? maxHistory);
    return count >= maxHistory ? { parent: null, count: 1 } : { parent: expected, count: count + 1 };
  }

  async function push(target: string, expected: string | null, { signal }: CallOptions) {
    const quiet = [
      '--porcelain',
      '--no-verify',
      '--no-signed',
      '--no-follow-tags',
      '--recurse-submodules=no',
    ];
    const lease = `--force-with-lease=${ref}:${expected ?? ''}`;
    return git(context, place, {
      args: ['push', ...quiet, lease, remote.text, `${target}:${ref}`],
      ...{ doing: `Pushing ${location}`, remote, anyExit: true, signal },
    });
  }

  const replace: GitRef['replace'] = async (files, { expected, signal }) => {
    const made = await commit(files, expected, { signal });
    unanswered.add(made);
    const result = await push(made, expected, { signal });
    const version = result.exitCode === 0 ? made : await readVersion({ signal });
    if (version === made) {
      unanswered.clear();
      return made;
    }
    // An earlier push of ours arrived, and its answer did not.
    if (version !== null && version !== expected && unanswered.has(version))
      return replace(files, { expected: version, signal });
    if (version !== expected) return null;
    const stderr = `${result.stdout}\n${result.stderr}`;
    throw explainGitFailure({ doing: `Pushing ${location}`, stderr, fallback: 'push-rejected' });
  };

  return {
    location,
    readVersion,
    read: async ({ signal } = {}) => {
      const version = await readVersion({ signal });
      if (version === null) return null;
      await fetchVersion(version, { signal });
      return { version, files: await readFiles(version, { signal }) };
    },
    replace,
    remove: async ({ expected, signal }) => (await push('', expected, { signal })).exitCode === 0,
  };
}

/** Creates the settings of its git. */
export function createRefContext({
  directory,
  token,
  username = 'x-access-token',
  environment = process.env,
  now = Date.now,
  timeoutMs = 120_000,
}: Omit<GitRefOptions, 'ref'>): GitContext {
  return { ...createPlainContext({ directory, environment }), token, username, timeoutMs, now };
}

const moved = { code: 'unavailable' } as const;

function badRef(ref: string): WorkspaceError {
  return new WorkspaceError(`"${ref}" cannot be used as ref: expected refs/agent/records/NAME.`, {
    code: 'invalid',
  });
}
