import type { CommentDetectionOptions } from '@agent/comment-detection';
import type { Account } from '@agent/platforms';
import type { RunControls } from '@agent/run-store';
import type { Locale } from '@agent/text';
import type { RunSettings } from '../config/run-settings.ts';
import type { Approvals } from '../plan/approvals.ts';
import type { RunLogger } from '../ports.ts';
import type { Rejections } from '../pre-plan/rejections.ts';
import type { FitDeliveryOptions } from '../thread/fit-delivery.ts';
import type { Acknowledgements } from './acknowledgements.ts';
import type { CommandHandlerOptions } from './commands.ts';
import type { DeliveredComment } from './delivered-comments.ts';
import type { DetectionRecord } from './detection-record.ts';
import type { CommandRecord } from './handled-commands.ts';
import type { TextGuard } from './text-guard.ts';
import type { ProvenComments } from './thread-text.ts';
import type { IsTrusted } from './trust.ts';

/** Record of what one run hears, commands included. */
export interface HearingRecord extends DetectionRecord {
  readonly commands: CommandRecord;
  /** Lists the comments that the run heard, by its journal alone. */
  readonly listHeard: () => Promise<readonly DeliveredComment[]>;
}

/** Parts of the inbox of one run. */
export interface RunInboxOptions {
  readonly uuid: string;
  readonly comments: ProvenComments;
  readonly ownAccount: Account;
  /** The agent's name where the configuration says it: then all that it writes is its own. */
  readonly botName: string | null;
  readonly isTrusted: IsTrusted;
  /** Guard that every text passes on its way to the model. */
  readonly guard: TextGuard;
  readonly controls: RunControls;
  readonly settings: RunSettings['comment_detection'];
  /** Language of the log lines. */
  readonly logLocale: Locale;
  /** Keeps what was heard, and says what earlier processes heard; that is read unless the conversation begins. */
  readonly record: HearingRecord;
  /** Answers `/show-history`, given in this comment. */
  readonly showHistory?: ((commentId: string) => Promise<void>) | undefined;
  /** Allows the thread the amount behind `/budget`. Default: nothing costs anything. */
  readonly allowBudget?: ((argument: string) => Promise<boolean>) | undefined;
  /** Keeps what is said by `/watch` and `/unwatch`. Default: nobody may say. */
  readonly wishWatch?: CommandHandlerOptions['wishWatch'];
  readonly allowHeld?: CommandHandlerOptions['allowHeld'];
  readonly onApplied?: CommandHandlerOptions['onApplied'];
  /** True for a run that has failed: then `/retry` is all that it can be told. Default false. */
  readonly hasFailed?: boolean | undefined;
  /** Objections of people to the run's assumptions. Default: it has none. */
  readonly rejections?: Rejections | undefined;
  /** Approvals of the run's plan. Default: nothing waits for one. */
  readonly approvals?: Pick<Approvals, 'record'> | undefined;
  /** Comments that approve a plan, if one is all that a comment says. Default none. */
  readonly approvalPhrases?: readonly string[] | undefined;
  /** Shows people what became of their comments. */
  readonly acknowledge: Acknowledgements['give'];
  readonly logger: RunLogger;
  /** Sizes of what is delivered, by the model's window. Default: those of the library. */
  readonly shares?: FitDeliveryOptions['shares'] | undefined;
  /** Default the system's. */
  readonly clock?: Pick<CommentDetectionOptions, 'now' | 'monotonicNow' | 'sleep'> | undefined;
}
