import type { CallOptions } from '@agent/platforms';
import type { TokenCounter } from '@agent/text';
import { type Expectation, expected, expectNumber, expectPort } from '@agent/text/options';
import { type CommentDetectionOptions, detectionExpectations } from '../comment-detection-options.ts';
import type { MailboxJournal } from './mailbox-journal.ts';

/** Options of a mailbox: those of the manager that it makes, but for those that it sets itself. */
export interface CommentMailboxOptions
  extends Omit<CommentDetectionOptions, 'onObserved' | 'startedAt' | 'enabled' | 'checkInterval'> {
  /** Remembers what was acknowledged: a file, or memory. */
  readonly journal: MailboxJournal;
  /** Counts tokens for `maxTokens`. Default: an estimate that knows no vocabulary, a fifth too high. */
  readonly countTokens?: TokenCounter | undefined;
  /** Names this process in the journal. Default: a random UUID. */
  readonly writer?: string | undefined;
}

/** Options of `take`. */
export interface TakeOptions extends CallOptions {
  /** True before the agent ends: the thread is polled by a request that begins now, and deletions are looked for. Default false. */
  readonly barrier?: boolean | undefined;
  /** Tokens of all texts together. Default 7,000. */
  readonly maxTokens?: number | undefined;
}

const {
  onObserved: _observed,
  startedAt: _started,
  enabled: _enabled,
  checkInterval: _interval,
  ...shared
} = detectionExpectations;

/** Conditions of the options of a mailbox. */
export const mailboxExpectations = {
  ...shared,
  journal: expectPort('readAfter', 'append'),
  countTokens: expected.function,
  writer: expected.text,
} as const satisfies Record<keyof CommentMailboxOptions, Expectation>;

/** Conditions of the options of `take`. */
export const takeExpectations = {
  barrier: expected.flag,
  maxTokens: expectNumber(1),
  signal: expected.signal,
} as const satisfies Record<keyof TakeOptions, Expectation>;
