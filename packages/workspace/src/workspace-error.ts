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

interface ToolErrorOptions {
  readonly cause?: unknown;
  readonly retryable?: boolean;
  readonly code?: 'refused' | null;
}

/** Tells the model why a call failed and what to do instead. */
export class ToolError extends Error {
  /** True when the very same call may succeed a moment later. Default false: only another call helps. */
  readonly retryable: boolean;
  /** `refused`: the call is none that may be made, which says nothing of the tool. Null for all else. */
  readonly code: 'refused' | null;

  constructor(message: string, { retryable = false, code = null, ...options }: ToolErrorOptions = {}) {
    super(message, options);
    this.name = 'ToolError';
    this.retryable = retryable;
    this.code = code;
  }
}
