import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WorkspaceError } from '../workspace-error.ts';

/** A task that needs a workspace. */
export interface WorkspaceTask {
  /** The run's id: names the worktree. Opening the same one again reuses what is there. */
  readonly uuid: string;
  /** `github.com`, `127.0.0.1:41234`. */
  readonly host: string;
  /** `owner/repo`, or a project's path with its groups. */
  readonly repositoryPath: string;
  /** The platform's number of it: another repository at the same path shares nothing with this one. */
  readonly repositoryId?: string | null | undefined;
  /** HTTP(S) address for git, without credentials; a path of this machine where `localRepositories` allows it. */
  readonly cloneUrl: string;
  /** The branch to work on. Where the server has it already, work continues from there. */
  readonly branch: string;
  /** The branch that a new one begins at, and that a change request goes into. */
  readonly baseBranch: string;
  /** True for a change request's own head branch: it is an error when the server does not have it. Default false. */
  readonly branchMustExist?: boolean | undefined;
  /**
   * The commit that the branch has to be at when the worktree is first made: what came there since was not looked at by
   * whoever gave the task. Default null: any.
   */
  readonly head?: string | null | undefined;
  /** The id of a run that failed or was stopped: what it committed and did not push is there when the worktree is first made. */
  readonly goesOnFrom?: string | null | undefined;
}

const uuidForm = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;

/**
 * Refuses a task whose parts could lead out of the workspaces' directory or be read as options.
 *
 * @throws WorkspaceError `invalid`
 */
export function checkTask(task: WorkspaceTask, options: CloneAddressOptions): void {
  for (const uuid of [task.uuid, task.goesOnFrom ?? task.uuid]) {
    if (!uuidForm.test(uuid)) refuse('uuid', uuid, 'letters, digits and dashes');
  }
  repositorySegments(task);
  for (const branch of [task.branch, task.baseBranch]) {
    if (!isBranchName(branch)) refuse('branch', branch, 'a name that git allows');
  }
  parseCloneAddress(task.cloneUrl, options);
}

/** The parts of a task that tell its repository from all others. */
export type RepositoryPlace = Pick<WorkspaceTask, 'host' | 'repositoryPath' | 'repositoryId'>;

/** Host, owner, repository as names of directories, with its number where it has one. Hosts and paths are one whatever their case. */
export function repositorySegments(task: RepositoryPlace): readonly string[] {
  const number = /^\d{1,20}$/.test(task.repositoryId ?? '') ? `.${task.repositoryId}` : '';
  const segments = [
    task.host.replaceAll(/[[\]]/g, '').replaceAll(':', '_'),
    ...`${task.repositoryPath}${number}`.split('/'),
  ];
  if (segments.length < 3) refuse('repository', task.repositoryPath, 'owner/repo');
  for (const segment of segments) {
    if (!/^[\p{L}\p{N}_.-]{1,200}$/u.test(segment) || /^\.\.?$/.test(segment)) {
      refuse('repository', `${task.host}/${task.repositoryPath}`, 'a host and owner/repo');
    }
  }
  return segments.map((segment) => segment.toLowerCase());
}

/** @see https://git-scm.com/docs/git-check-ref-format */
function isBranchName(name: string): boolean {
  if (name.length === 0 || name.length > 200 || name === '@' || name === 'HEAD' || name.startsWith('-'))
    return false;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: git forbids exactly these
  if (/[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{/.test(name)) return false;
  return name.split('/').every((part) => part !== '' && !part.startsWith('.') && !/(\.|\.lock)$/.test(part));
}

function refuse(what: string, value: string, expected: string): never {
  throw new WorkspaceError(`"${value}" cannot be used as ${what}: expected ${expected}.`, {
    code: 'invalid',
  });
}

/** Address that a repository is fetched from and pushed to. */
export interface CloneAddress {
  /** As git takes it. */
  readonly text: string;
  /** The server to log in to; null for a repository on this machine, which no token is ever given to. */
  readonly server: URL | null;
}

interface CloneAddressOptions {
  /** True to take a path on this machine for an address. Never for an address that a server told us. */
  readonly localRepositories: boolean;
}

/**
 * Checks an address: http or https without credentials, or, where that is allowed, an absolute path or `file:` URL.
 *
 * @throws WorkspaceError `invalid`
 */
export function parseCloneAddress(text: string, { localRepositories }: CloneAddressOptions): CloneAddress {
  if (localRepositories) {
    const path = text.startsWith('file:') ? toPath(text) : text;
    if (path !== null && isAbsolute(path)) return { text: path, server: null };
  }
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) throw refused(text, localRepositories);
  if (url.username !== '' || url.password !== '') {
    throw new WorkspaceError(
      'The clone address holds credentials. Take them out of the address; the token is passed another way.',
      { code: 'invalid' },
    );
  }
  return { text, server: url };
}

function toPath(text: string): string | null {
  try {
    return fileURLToPath(text);
  } catch {
    // Another host, or an escape that no path has: the caller says what would do.
    return null;
  }
}

function refused(text: string, localRepositories: boolean): WorkspaceError {
  const expected = localRepositories
    ? 'an http(s) address, an absolute path or a file: URL of this machine'
    : 'an http(s) address';
  return new WorkspaceError(`"${text}" cannot be used as clone address: expected ${expected}.`, {
    code: 'invalid',
  });
}
