import { type CommentChange, createCommentInbox, type DeliveryReceipt } from '@agent/comment-detection';
import type { Account, CommentListing, CommentSource } from '@agent/platforms';
import type { CommentInbox } from '@agent/runner';
import { noRejections, type Rejections } from '../pre-plan/rejections.ts';
import type { CommentSummary } from './comment-summary.ts';
import { createCommandHandler } from './create-command-handler.ts';
import { createDetectionManager } from './create-detection-manager.ts';
import type { TextGuard } from './create-text-guard.ts';
import { toAccount } from './create-trust.ts';
import type { HandledCommand } from './delivered-comment.ts';
import { findUnanswered } from './find-unanswered.ts';
import { type Delivered, listDelivered } from './list-delivered.ts';
import { parseCommand } from './parse-command.ts';
import type { EarlierDeliveries, RunInboxOptions } from './run-inbox-options.ts';

/** A run whose conversation had not begun when its process ended. */
export interface TakenUp {
  /** Whether that process heard a change. What it did not hear is obeyed now, where it commands something. */
  readonly wasHeard: (change: CommentChange) => boolean;
}

/** A comment that came too late for a run, and who wrote it. */
export interface UnansweredComment {
  readonly id: string;
  readonly by: Account;
}

/** How one run hears what is said on its thread. */
export interface RunInbox {
  readonly guard: TextGuard;
  readonly rejections: Rejections;
  readonly inbox: CommentInbox;
  /**
   * Takes the snapshot that the first prompt is made from for known, and says what the prompt's line in the journal
   * has to say of it. `takenUp`: for a run that an earlier process has begun.
   */
  readonly begin: (snapshot: CommentListing, takenUp?: TakenUp) => Promise<DeliveryReceipt>;
  /**
   * Looks, obeys what trusted people command, and says what the model has not been told; nothing is delivered. Never
   * rejects for a thread that cannot be read.
   */
  readonly runCommands: () => Promise<readonly CommentChange[]>;
  readonly summarize: () => CommentSummary;
  /**
   * One last look: the first comment of somebody who may steer, from before the final comment stood there, that no answer
   * takes up; null where there is none.
   */
  readonly findUnanswered: (finalCommentId: string) => Promise<UnansweredComment | null>;
}

/**
 * New, edited and deleted comments for one run: found by the manager, marked by who may steer, delivered by the
 * runner at its checkpoints. Commands of trusted people are obeyed here and reach the model only as obeyed.
 */
export function createRunInbox(options: RunInboxOptions): RunInbox {
  const { guard, save, rejections = noRejections } = options;
  const { comments, urls } = noteUrls(options.comments);
  const commands = new Map<string, HandledCommand>();
  const manager = createDetectionManager({ ...options, comments, urls });
  const onCommand = (id: string, command: HandledCommand) => void commands.set(id, command);
  const obey = createCommandHandler({ ...options, rejections, onCommand });
  const told: Delivered[] = [];
  let earlier: EarlierDeliveries | null = options.earlier;
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
    begin: async (snapshot, takenUp) => {
      // Before it is known: a crash in between has it obeyed again, and asking a run twice is asking it once.
      if (takenUp !== undefined) await obey(await findMissed(options, { ...takenUp, snapshot }));
      earlier = null;
      await manager.initialize(snapshot);
      keep();
      return manager.toOpeningReceipt();
    },
    runCommands: async () => {
      goOn();
      await manager.checkForChanges();
      await obey(manager.listUndelivered());
      return manager.listUndelivered();
    },
    summarize: () => {
      goOn();
      const { ledger } = manager.toState();
      return {
        comments: listDelivered({ told, undelivered: manager.listUndelivered(), ledger, urls, commands }),
        statistics: manager.enabled ? manager.getStatistics() : null,
        readUntil: isReadToTheEnd ? null : (manager.lastCheckTime?.toISOString() ?? options.startedAt),
      };
    },
    findUnanswered: async (finalCommentId) => {
      goOn();
      await manager.checkForChanges({ barrier: true });
      const unanswered = findUnanswered({
        undelivered: manager.listUndelivered(),
        ledger: manager.toState().ledger,
        finalCommentId,
      });
      // A command needs no answer once there is nothing to command, and two programs could go on for ever.
      for (const { comment } of unanswered) {
        const { author, body } = comment;
        if (author?.kind === 'bot' || parseCommand(await guard.clean(body)) !== null) continue;
        const by = toAccount(author);
        if (by !== null && (await options.isTrusted(by, { fresh: true }))) return { id: comment.id, by };
      }
      return null;
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

/** The same source, and where the comments stand that it listed: the report of a run links to them. */
function noteUrls({ listComments }: CommentSource) {
  const urls = new Map<string, string>();
  const comments: CommentSource = {
    listComments: async (look) => {
      const listing = await listComments(look);
      for (const { id, url } of listing.comments) if (url) urls.set(String(id), url);
      return listing;
    },
  };
  return { comments, urls };
}

/** What came after the thread was last listened to, or after the run began where that was not kept. */
async function findMissed(
  options: RunInboxOptions,
  { snapshot, wasHeard }: TakenUp & { readonly snapshot: CommentListing },
): Promise<readonly CommentChange[]> {
  const manager = createDetectionManager({ ...options, urls: new Map() });
  manager.restore(options.earlier.state, options.earlier.delivered);
  await manager.initialize(snapshot);
  return manager.listUndelivered().filter((change) => !wasHeard(change));
}
