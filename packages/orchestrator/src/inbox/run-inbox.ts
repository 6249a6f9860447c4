import {
  type CommentChange,
  CommentDetectionManager,
  type CommentDetectionOptions,
  createCommentInbox,
  type DeliveryReceipt,
  toCommentDetectionOptions,
} from '@agent/comment-detection';
import type { Account, CommentListing, CommentSource } from '@agent/platforms';
import type { RunControls } from '@agent/run-store';
import type { CommentInbox } from '@agent/runner';
import type { Locale } from '@agent/text';
import type { RunSettings } from '../config/run-settings.ts';
import type { RunLogger } from '../ports.ts';
import { noRejections, type Rejections } from '../pre-plan/rejections.ts';
import type { Acknowledgements } from './acknowledgements.ts';
import {
  commandNames,
  createCommandHandler,
  type HandledCommand,
  parseCommand,
  tellHandled,
} from './commands.ts';
import {
  type CommentSummary,
  type Delivered,
  type EarlierDeliveries,
  findUnanswered,
  listDelivered,
} from './delivered-comments.ts';
import { markInternal, type TextGuard } from './text-guard.ts';
import { type IsTrusted, identifyAgent, toAccount } from './trust.ts';

/** Parts of the inbox of one run. */
export interface RunInboxOptions {
  readonly uuid: string;
  readonly comments: CommentSource;
  readonly ownAccount: Account;
  /** The agent's name where the configuration says it: then all that it writes is its own. */
  readonly botName: string | null;
  readonly isTrusted: IsTrusted;
  /** Guard that every text passes on its way to the model. */
  readonly guard: TextGuard;
  readonly controls: RunControls;
  readonly settings: RunSettings['comment_detection'];
  /** When the run began (ISO 8601), by the platform's clock: what is older is no news when nothing else is known. */
  readonly startedAt: string;
  /** Language of the log lines. */
  readonly logLocale: Locale;
  /** State and deliveries of earlier processes; used unless the conversation begins. */
  readonly earlier: EarlierDeliveries;
  /** Keeps what was heard, so that the next process goes on from it; a cache of what the journal says. */
  readonly save: (state: unknown) => void;
  /** Answers `/show-history`, given in this comment. */
  readonly showHistory?: ((commentId: string) => Promise<void>) | undefined;
  /** True for a run that has failed: then `/retry` is all that it can be told. Default false. */
  readonly hasFailed?: boolean | undefined;
  /** Objections of people to the run's assumptions. Default: it has none. */
  readonly rejections?: Rejections | undefined;
  /** Shows people what became of their comments. */
  readonly acknowledge: Acknowledgements['give'];
  readonly logger: RunLogger;
  /** Default the system's. */
  readonly clock?: Pick<CommentDetectionOptions, 'now' | 'monotonicNow' | 'sleep'> | undefined;
}

/** A run whose conversation had not begun when its process ended. */
export interface TakenUp {
  /** Tells whether that process heard a change. What it did not hear is obeyed now, where it commands something. */
  readonly wasHeard: (change: CommentChange) => boolean;
}

/** A comment that came too late for a run, and who wrote it. */
export interface UnansweredComment {
  readonly id: string;
  readonly by: Account;
}

/** Inbox of one run: hears what is said on its thread. */
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
 * New, edited and deleted comments for one run: found by the inbox, marked by who may steer, delivered by the
 * runner at its checkpoints. Commands of trusted people are obeyed here and reach the model only as obeyed.
 */
export function createRunInbox(options: RunInboxOptions): RunInbox {
  const { guard, save, rejections = noRejections } = options;
  const { comments, urls } = noteUrls(options.comments);
  const commands = new Map<string, HandledCommand>();
  const onCommand = (id: string, command: HandledCommand) => void commands.set(id, command);
  const inbox = createCommentInbox(comments, {
    ...toDetectionOptions(options, urls),
    commands: [...commandNames, 'reject'],
    onCommands: createCommandHandler({ ...options, rejections, onCommand }),
    tellCommand: ({ name, written }) => (name === 'reject' ? written : tellHandled(name)),
    onDelivered: () => keep(),
  });
  const { manager } = inbox;
  const told: Delivered[] = [];
  let earlier: EarlierDeliveries | null = options.earlier;
  const restore = (): void => {
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

  return {
    guard,
    rejections,
    begin: async (snapshot, takenUp) => {
      // Before it is known: a crash in between has it obeyed again, and asking a run twice is asking it once.
      if (takenUp !== undefined) await inbox.runCommands(await findMissed(options, { ...takenUp, snapshot }));
      earlier = null;
      await manager.initialize(snapshot);
      keep();
      return manager.toOpeningReceipt();
    },
    runCommands: async () => {
      restore();
      await manager.checkForChanges();
      await inbox.runCommands();
      return manager.listDeliverable();
    },
    summarize: () => {
      restore();
      const { ledger } = manager.toState();
      return {
        comments: listDelivered({ told, undelivered: manager.listUndelivered(), ledger, urls, commands }),
        statistics: manager.enabled ? manager.getStatistics() : null,
        readUntil: isReadToTheEnd ? null : (manager.lastCheckTime?.toISOString() ?? options.startedAt),
      };
    },
    findUnanswered: async (finalCommentId) => {
      restore();
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
        restore();
        if (call.barrier) isReadToTheEnd = false;
        const taken = await inbox.takeDelivery(call);
        if (call.barrier) isReadToTheEnd = taken.status === 'checked';
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

/** Finds what came after the thread was last listened to, or after the run began where that was not kept. */
async function findMissed(
  options: RunInboxOptions,
  { snapshot, wasHeard }: TakenUp & { readonly snapshot: CommentListing },
): Promise<readonly CommentChange[]> {
  const manager = new CommentDetectionManager(options.comments, toDetectionOptions(options, new Map()));
  manager.restore(options.earlier.state, options.earlier.delivered);
  await manager.initialize(snapshot);
  return manager.listDeliverable().filter((change) => !wasHeard(change));
}

/** Composes the options by which comments are found for one run, and put into words for the model. `urls`: their addresses, by id. */
function toDetectionOptions(
  options: RunInboxOptions,
  urls: ReadonlyMap<string, string>,
): CommentDetectionOptions {
  const { settings, isTrusted, guard, rejections = noRejections } = options;
  return {
    ...toCommentDetectionOptions(settings),
    ...identifyAgent({ ...options, botName: settings.bot_username ?? options.botName }),
    ...options.clock,
    authorityOf: async ({ author }, call) =>
      (await isTrusted(toAccount(author), call)) ? 'trusted' : 'untrusted',
    cleanText: (text, { id }) => guard.clean(text, urls.get(id)),
    prepareBody: (comment, { authority }) => {
      const { author, body } = comment;
      const text = authority === 'trusted' ? rejections.tell(body) : body;
      return guard.wrap(markInternal(text, comment), { author: author?.login ?? null, authority });
    },
    startedAt: options.startedAt,
    taskUuid: options.uuid,
    logLocale: options.logLocale,
    logger: options.logger,
  };
}
