import type { CommentChange, CommentChanges } from './changes.ts';
import type { CallOptions } from './ports.ts';

/** What came of learning what is history. */
export interface InitializeResult {
  /** `skipped`: it is switched off, or no look was allowed. `failed`: the thread could not be read. */
  readonly status: 'checked' | 'skipped' | 'failed';
  /** Why it failed. */
  readonly error?: unknown;
}

/** What a check found. */
export interface CheckResult extends CommentChanges {
  /** `skipped`: no look was due or allowed. `failed`: the thread could not be read. */
  readonly status: 'checked' | 'skipped' | 'failed';
  /** Whether the whole thread was seen. */
  readonly complete: boolean;
  /** Why it failed. */
  readonly error?: unknown;
}

/** What came of adding comments to a context. */
export interface AddResult {
  /** `failed`: the context refused them; they are offered again at the next check. */
  readonly status: 'added' | 'nothing' | 'failed';
  readonly error?: unknown;
}

/** What to make a message of. */
export interface ComposeRequest extends CallOptions {
  /** Default: all that is undelivered and not held back. */
  readonly changes?: readonly CommentChange[] | undefined;
  readonly maxBodyChars?: number | undefined;
}
