import type { CommentDetectionOptions, DeliveryReceipt } from '@agent/comment-detection';
import type { Account, CommentSource } from '@agent/platforms';
import type { RunControls } from '@agent/run-store';
import type { Locale } from '@agent/text';
import type { RunSettings } from '../config/run-settings.ts';
import type { RunLogger } from '../ports.ts';
import type { Rejections } from '../pre-plan/rejections.ts';
import type { Acknowledgements } from './create-acknowledgements.ts';
import type { TextGuard } from './create-text-guard.ts';
import type { IsTrusted } from './create-trust.ts';

/** What one run hears its thread with. */
export interface RunInboxOptions {
  readonly uuid: string;
  readonly comments: CommentSource;
  readonly ownAccount: Account;
  /** The agent's name where the configuration says it: then all that it writes is its own. */
  readonly botName: string | null;
  readonly isTrusted: IsTrusted;
  /** What every text passes on its way to the model. */
  readonly guard: TextGuard;
  readonly controls: RunControls;
  readonly settings: RunSettings['comment_detection'];
  /** When the run began (ISO 8601), by the platform's clock: what is older is no news when nothing else is known. */
  readonly startedAt: string;
  /** Of the log lines. */
  readonly logLocale: Locale;
  /** What an earlier process kept and journalled; used unless the conversation begins. */
  readonly earlier: EarlierDeliveries;
  /** Keeps what was heard, so that the next process goes on from it; a cache of what the journal says. */
  readonly save: (state: unknown) => void;
  /** Answers `/show-history`, given in this comment. */
  readonly showHistory?: ((commentId: string) => Promise<void>) | undefined;
  /** Whether the run has failed: then `/retry` is all that it can be told. Default false. */
  readonly hasFailed?: boolean | undefined;
  /** What people may say against the run's assumptions. Default: it has none. */
  readonly rejections?: Rejections | undefined;
  /** Shows people what became of their comments. */
  readonly acknowledge: Acknowledgements['give'];
  readonly logger: RunLogger;
  /** Default the system's. */
  readonly clock?: Pick<CommentDetectionOptions, 'now' | 'monotonicNow' | 'sleep'> | undefined;
}

export interface EarlierDeliveries {
  /** Null when there is none. */
  readonly state: unknown;
  readonly delivered: readonly JournalledDelivery[];
}

/** A delivery that the journal holds; `opening` when the first prompt made it, and not a comment that came. */
export interface JournalledDelivery extends DeliveryReceipt {
  readonly opening: boolean;
}
