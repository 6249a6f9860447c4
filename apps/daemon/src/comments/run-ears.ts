import {
  type CommentChange,
  CommentDetectionManager,
  type CommentDetectionOptions,
  createCommentInbox,
  type DeliveryReceipt,
  toCommentDetectionOptions,
} from '@agent/comment-detection';
import type { RunControls } from '@agent/context-inheritance';
import type { Account, CommentListing, CommentSource } from '@agent/platforms';
import type { CommentInbox } from '@agent/runner';
import type { Config } from '../config/schema.ts';
import type { DaemonLogger } from '../log/logger.ts';
import { noRejections, type Rejections } from '../pre-planning/rejections.ts';
import type { Locale } from '../task/locale.ts';
import type { Acknowledgements } from './create-acknowledgements.ts';
import { createCommandObeyer } from './create-command-obeyer.ts';
import type { TextGuard } from './create-text-guard.ts';
import { type IsTrusted, toAccount } from './create-trust.ts';
import { findUnanswered } from './find-unanswered.ts';
import type { HearingSummary } from './hearing-summary.ts';
import { identifyAgent } from './identify-agent.ts';
import { type Delivered, listHeard } from './list-heard.ts';
import { parseCommand } from './parse-command.ts';
import { sayObeyed } from './say-obeyed.ts';

export interface RunEarsOptions {
  readonly uuid: string;
  readonly comments: CommentSource;
  readonly ownAccount: Account;
  /** The agent's name where the configuration says it: then all that it writes is its own. */
  readonly botName: string | null;
  readonly isTrusted: IsTrusted;
  /** What every text passes on its way to the model. */
  readonly guard: TextGuard;
  readonly controls: RunControls;
  readonly settings: Config['comment_detection'];
  /** When the run began (ISO 8601), by the platform's clock: what is older is no news when nothing else is known. */
  readonly startedAt: string;
  /** Of the log lines. */
  readonly logLocale: Locale;
  /** What an earlier process kept and journalled; used unless the conversation begins. */
  readonly earlier: EarlierHearing;
  /** Keeps what was heard, so that the next process goes on from it; a cache of what the journal says. */
  readonly save: (state: unknown) => void;
  /** Answers `/show-history`, given in this comment. */
  readonly showHistory?: ((commentId: string) => Promise<void>) | undefined;
  /** What people may say against the run's assumptions. Default: it has none. */
  readonly rejections?: Rejections | undefined;
  /** Shows people what became of their comments. */
  readonly acknowledge: Acknowledgements['give'];
  readonly logger: DaemonLogger;
  /** Default the system's. */
  readonly clock?: Pick<CommentDetectionOptions, 'now' | 'monotonicNow' | 'sleep'> | undefined;
}

export interface EarlierHearing {
  /** Null when there is none. */
  readonly state: unknown;
  readonly delivered: readonly JournalledDelivery[];
}

/** A delivery that the journal holds; `opening` when the first prompt made it, and not a comment that came. */
export interface JournalledDelivery extends DeliveryReceipt {
  readonly opening: boolean;
}

/** How one run hears what is said on its thread. */
export interface RunEars {
  readonly guard: TextGuard;
  readonly rejections: Rejections;
  readonly inbox: CommentInbox;
  /**
   * Takes the snapshot that the first prompt is made from for known, and says what the prompt's line in the journal
   * has to say of it.
   */
  readonly begin: (snapshot: CommentListing) => Promise<DeliveryReceipt>;
  /**
   * Looks, obeys what trusted people command, and says what the model has not been told; nothing is delivered. Never
   * rejects for a thread that cannot be read.
   */
  readonly heedCommands: () => Promise<readonly CommentChange[]>;
  readonly summarise: () => HearingSummary;
  /**
   * One last look: whether somebody who may steer said something before the final comment stood there that no
   * answer takes up.
   */
  readonly isLeftUnanswered: (finalCommentId: string) => Promise<boolean>;
}

/**
 * New, edited and deleted comments for one run: found by the manager, marked by who may steer, delivered by the
 * runner at its checkpoints. Commands of trusted people are obeyed here and reach the model only as obeyed.
 */
export function createRunEars(options: RunEarsOptions): RunEars {
  const { uuid, settings, isTrusted, guard, logger, save, rejections = noRejections } = options;
  const manager = new CommentDetectionManager(options.comments, {
    ...toCommentDetectionOptions(settings),
    ...identifyAgent({ ...options, botName: settings.bot_username ?? options.botName }),
    ...options.clock,
    authorityOf: async ({ author }, call) =>
      (await isTrusted(toAccount(author), call)) ? 'trusted' : 'untrusted',
    cleanText: guard.clean,
    prepareBody: ({ author, body }, { authority }) => {
      const text = authority === 'trusted' ? rejections.tell(sayObeyed(body)) : body;
      return guard.wrap(text, { author: author?.login ?? null, authority });
    },
    startedAt: options.startedAt,
    taskUuid: uuid,
    logLocale: options.logLocale,
    logger,
  });
  const obey = createCommandObeyer({ ...options, isRejection: rejections.areIn });
  const told: Delivered[] = [];
  let earlier: EarlierHearing | null = options.earlier;
  const goOn = (): void => {
    if (earlier === null) return;
    manager.restore(earlier.state, earlier.delivered);
    told.push(...earlier.delivered.flatMap(({ opening, delivers }) => (opening ? [] : delivers)));
    earlier = null;
  };
  let isReadToTheEnd = true;
  let kept = manager.getStatistics();
  const keep = (): void => {
    kept = manager.getStatistics();
    save(manager.toState());
  };
  const inbox = createCommentInbox(manager, { onDelivered: keep });

  return {
    guard,
    rejections,
    begin: async (snapshot) => {
      earlier = null;
      await manager.initialize(snapshot);
      keep();
      return manager.toOpeningReceipt();
    },
    heedCommands: async () => {
      goOn();
      await manager.checkForChanges();
      await obey(manager.listUndelivered());
      return manager.listUndelivered();
    },
    summarise: () => {
      goOn();
      const { ledger } = manager.toState();
      return {
        comments: listHeard({ told, undelivered: manager.listUndelivered(), ledger }),
        statistics: manager.enabled ? manager.getStatistics() : null,
        readUntil: isReadToTheEnd ? null : (manager.lastCheckTime?.toISOString() ?? options.startedAt),
      };
    },
    isLeftUnanswered: async (finalCommentId) => {
      goOn();
      await manager.checkForChanges({ barrier: true });
      const unanswered = findUnanswered({
        undelivered: manager.listUndelivered(),
        ledger: manager.toState().ledger,
        finalCommentId,
      });
      // A command needs no answer once there is nothing to command, and two programs could go on for ever.
      const changes = unanswered.filter(
        ({ comment: { author, body } }) => author?.kind !== 'bot' && parseCommand(guard.clean(body)) === null,
      );
      return (await manager.composeDelivery({ changes }))?.fromTrusted ?? false;
    },
    inbox: {
      takeDelivery: async (call) => {
        goOn();
        const taken = await inbox.takeDelivery(call);
        if (call.barrier) isReadToTheEnd = taken.status === 'checked';
        await obey(manager.listUndelivered());
        if (kept !== manager.getStatistics()) keep();
        return taken;
      },
      markDelivered: (receipt) => {
        told.push(...receipt.delivers);
        inbox.markDelivered(receipt);
        const added = receipt.delivers.filter(({ kind }) => kind === 'added');
        options.acknowledge(
          'seen',
          added.map(({ id }) => id),
        );
      },
    },
  };
}
