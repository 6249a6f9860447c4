import type { CommentDetectionOptions } from '@agent/comment-detection';
import type { Account } from '@agent/platforms';
import type { RunControls } from '@agent/run-store';
import type { Locale } from '@agent/text';
import type { RunSettings } from '../config/run-settings.ts';
import type { Clock, RunLogger } from '../host/ports.ts';
import type { Approvals } from '../plan/approvals.ts';
import type { Rejections } from '../plan/rejections.ts';
import type { DetectionRecord } from '../thread/detection-record.ts';
import type { FitDeliveryOptions } from '../thread/fit-delivery.ts';
import type { TextGuard } from '../thread/text-guard.ts';
import type { ProvenComments } from '../thread/thread-text.ts';
import type { IsTrusted } from '../thread/trust.ts';
import type { Acknowledgements } from './acknowledgements.ts';
import type { CommandHandlerOptions } from './commands.ts';
import type { DeliveredComment } from './delivered-comments.ts';
import type { CommandRecord } from './handled-commands.ts';

/** Record of the comments that one run received, commands included. */
export interface HearingRecord extends DetectionRecord {
  readonly commands: CommandRecord;
  /** Lists the comments that the run received, from its journal alone. */
  readonly listHeard: () => Promise<readonly DeliveredComment[]>;
}

/** Parts of the inbox of one run. */
export interface RunInboxOptions {
  readonly uuid: string;
  readonly comments: ProvenComments;
  readonly ownAccount: Account;
  /** Name of the agent if it is configured: comments by that name are its own. */
  readonly botName: string | null;
  readonly isTrusted: IsTrusted;
  /** Guard that every text passes on its way to the model. */
  readonly guard: TextGuard;
  readonly controls: RunControls;
  readonly settings: RunSettings['comment_detection'];
  /** Language of the log lines. */
  readonly logLocale: Locale;
  /** Stores the received comments. Those of earlier processes are read unless the conversation begins. */
  readonly record: HearingRecord;
  /** Answers `/show-history`, given in this comment. */
  readonly showHistory?: ((commentId: string) => Promise<void>) | undefined;
  /** Allows the thread the amount behind `/budget`. Default: the command is ignored. */
  readonly allowBudget?: ((argument: string) => Promise<boolean>) | undefined;
  /** Stores the request of `/watch` and `/unwatch`. Default: both are refused as unknown. */
  readonly wishWatch?: CommandHandlerOptions['wishWatch'];
  readonly allowHeld?: CommandHandlerOptions['allowHeld'];
  readonly onApplied?: CommandHandlerOptions['onApplied'];
  /** True for a run that has failed: it accepts `/retry` and `/budget` only. Default false. */
  readonly hasFailed?: boolean | undefined;
  /** Objections of users to the run's assumptions. Default: the run has no assumptions. */
  readonly rejections?: Rejections | undefined;
  /** Approvals of the run's plan. Default: nothing waits for one. */
  readonly approvals?: Pick<Approvals, 'record'> | undefined;
  /** Comments that approve a plan, if one is all that a comment says. Default none. */
  readonly approvalPhrases?: readonly string[] | undefined;
  /** Shows users the effect of their comments. */
  readonly acknowledge: Acknowledgements['give'];
  readonly logger: RunLogger;
  /** Sizes of a delivery, by the context window of the model. Default: the sizes of the library. */
  readonly shares?: FitDeliveryOptions['shares'] | undefined;
  /** Default the system's. */
  readonly clock?: Pick<CommentDetectionOptions, 'now' | 'monotonicNow' | 'sleep'> | undefined;
}

/** Converts the clock of a process to that of comment detection. A wait without a signal of its own ends at a shutdown. */
export function toListeningClock(
  { monotonicNow, sleep }: Pick<Clock, 'monotonicNow' | 'sleep'>,
  shutdown: AbortSignal,
): RunInboxOptions['clock'] {
  return { monotonicNow, sleep: (milliseconds, { signal = shutdown }) => sleep(milliseconds, signal) };
}
