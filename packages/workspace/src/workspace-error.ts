/** Kinds of failure of a repository or a worktree that a caller can act on. */
export type WorkspaceErrorCode =
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'empty-repository'
  | 'push-rejected'
  | 'secrets-found'
  | 'changes-held'
  | 'branch-forbidden'
  | 'signing-failed'
  | 'unavailable'
  | 'storage-full'
  | 'git-missing'
  | 'sandbox-unusable'
  | 'invalid'
  | 'unsuitable-file'
  | 'clone-failed'
  | 'git-failed';

/** The error of everything that git and the sandbox do for a task. Read it by `code`; the message says what to do. */
export class WorkspaceError extends Error {
  readonly code: WorkspaceErrorCode;

  constructor(message: string, options: { readonly code: WorkspaceErrorCode; readonly cause?: unknown }) {
    super(message, { cause: options.cause });
    this.name = 'WorkspaceError';
    this.code = options.code;
  }
}
