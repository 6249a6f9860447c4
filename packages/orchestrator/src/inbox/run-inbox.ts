import { performance } from 'node:perf_hooks';
import {
  type CommentChange,
  CommentDetectionManager,
  type CommentDetectionOptions,
  createCommentInbox,
  type DeliveryReceipt,
  toCommentDetectionOptions,
} from '@agent/comment-detection';
import type { Account, CallOptions, CommentListing, Thread } from '@agent/platforms';
import type { CommentInbox } from '@agent/runner';
import { createTurns } from '@agent/text/waiting';
import { describeInOrder } from '../pictures/run-pictures.ts';
import { findApprovalPhrase } from '../plan/approvals.ts';
import { noRejections, type Rejections } from '../plan/rejections.ts';
import { createFitDelivery } from '../thread/fit-delivery.ts';
import { asksForNothing } from '../thread/review-sources.ts';
import { markInternal } from '../thread/text-guard.ts';
import { threadTextId, toTextComment } from '../thread/thread-text.ts';
import { identifyAgent, isOwnThread, toAccount } from '../thread/trust.ts';
import { commandNames, createCommandHandler, parseCommand, tellHandled } from './commands.ts';
import {
  type CommentSummary,
  type DeliveredComment,
  type EndOnThread,
  findHeard,
  findUnanswered,
} from './delivered-comments.ts';
import { finishCommands } from './handled-commands.ts';
import type { RunInboxOptions } from './run-inbox-options.ts';

/** Comments of a snapshot, and the thread itself, whose title and text are heard like them. */
export interface HeardSnapshot extends CommentListing {
  readonly thread?: Thread | undefined;
}

/** A run whose conversation had not begun when its process ended. */
export interface TakenUp {
  /** Tells whether that process heard a change. What it did not hear is obeyed now, where it commands something. */
  readonly wasHeard: (change: CommentChange) => boolean;
}

/** A comment that came too late for a run. */
export interface LateComment {
  /** The author where they may steer and ask for an answer: the next run takes it up. Null for all others. */
  readonly by: Account | null;
  readonly comment: DeliveredComment;
}

/** Inbox of one run: hears what is said on its thread. */
export interface RunInbox extends Pick<RunInboxOptions, 'guard' | 'isTrusted'> {
  readonly rejections: Rejections;
  readonly inbox: CommentInbox;
  /**
   * Takes the snapshot that the first prompt is made from for known, and says what the prompt's line in the journal
   * has to say of it. `takenUp`: for a run that an earlier process has begun.
   */
  readonly begin: (snapshot: HeardSnapshot, takenUp?: TakenUp) => Promise<DeliveryReceipt>;
  /**
   * Looks, obeys what trusted people command, and says what the model has not been told; nothing is delivered. Never
   * rejects for a thread that cannot be read.
   */
  readonly runCommands: (call?: CallOptions) => Promise<readonly CommentChange[]>;
  /**
   * Does the same in the middle of a step, unless the thread was polled less than `maxAgeMs` ago. To be called once it listens. True
   * if the thread could be polled.
   */
  readonly heed: (at: { readonly maxAgeMs: number } & CallOptions) => Promise<boolean>;
  /** False until what is history is known: until `begin`, or until the first poll of a run that continues. */
  readonly isListening: () => boolean;
  /**
   * Looks once more, and accounts for all that came: what the model was told stood in a request that it has answered. Never
   * rejects.
   */
  readonly summarize: () => Promise<CommentSummary>;
  /**
   * One last look: what was said before the final comment stood there, and no answer takes up, oldest first. Rejects where the
   * thread, or who may steer, could not be asked.
   */
  readonly findLate: (end: EndOnThread) => Promise<readonly LateComment[]>;
}

/**
 * New, edited and deleted comments for one run: found by the inbox, marked by who may steer, delivered by the
 * runner at its checkpoints. Commands of trusted people are obeyed here and reach the model only as obeyed.
 */
export function createRunInbox(options: RunInboxOptions): RunInbox {
  const { guard, isTrusted, record, comments, rejections = noRejections } = options;
  const inbox = createCommentInbox(comments, {
    ...toDetectionOptions(options),
    commands: [...commandNames, 'reject'],
    readPhrase: (body) =>
      findApprovalPhrase(body, options.approvalPhrases ?? []) === null ? null : 'approve',
    onCommands: createCommandHandler({ ...options, rejections, record: record.commands }),
    tellCommand: ({ name, written }) => (name === 'reject' ? written : tellHandled(name)),
    onDelivered: () => keep(),
  });
  const { manager } = inbox;
  let isRestored = false;
  const restore = async (): Promise<void> => {
    if (isRestored) return;
    await finishCommands(record.commands, options);
    const heard = await record.read();
    isRestored = true;
    manager.restore(null, heard);
  };
  const { monotonicNow = () => performance.now() } = options.clock ?? {};
  let polledAt = Number.NEGATIVE_INFINITY;
  // Polls at checkpoints and polls during a step run one after the other, so that a command is applied once.
  const inTurn = createTurns();
  const pollForCommands = async ({ signal }: CallOptions = {}): Promise<boolean> => {
    await restore();
    const { status } = await manager.checkForChanges({ signal });
    if (status === 'checked') polledAt = monotonicNow();
    await inbox.runCommands();
    return status === 'checked';
  };
  let isReadToTheEnd = true;
  let kept = manager.getStatistics();
  const keep = (): void => {
    kept = manager.getStatistics();
    // The journal holds the texts.
    record.save(manager.toState({ hasBodies: false }));
  };

  return {
    ...{ guard, isTrusted, rejections },
    begin: ({ thread, ...listing }, takenUp) =>
      inTurn(async () => {
        const isHeard = thread !== undefined && !isOwnThread(thread, options.ownAccount);
        const comments = isHeard ? [toTextComment(thread), ...listing.comments] : listing.comments;
        const snapshot = { ...listing, comments };
        // Before it is known: a crash in between has it obeyed again, and asking a run twice is asking it once.
        if (takenUp !== undefined)
          await inbox.runCommands(await findMissed(options, { ...takenUp, snapshot }));
        await manager.initialize(snapshot);
        isRestored = true;
        polledAt = monotonicNow();
        await record.observe?.(manager.toOpeningObservations());
        keep();
        return manager.toOpeningReceipt();
      }),
    runCommands: (call) =>
      inTurn(async () => {
        await pollForCommands(call);
        return manager.listDeliverable();
      }),
    heed: ({ maxAgeMs, signal }) =>
      inTurn(async () => (monotonicNow() - polledAt < maxAgeMs ? false : pollForCommands({ signal }))),
    isListening: () => isRestored,
    summarize: () =>
      inTurn(async () => {
        try {
          await restore();
          const { status } = await manager.checkForChanges();
          if (status !== 'skipped') isReadToTheEnd = status === 'checked';
        } catch (error) {
          options.logger.warn({ err: error }, 'failed to poll comments for report');
        }
        return {
          comments: await record.listHeard(),
          statistics: manager.enabled ? manager.getStatistics() : null,
          readUntil: isReadToTheEnd ? null : (manager.lastCheckTime?.toISOString() ?? record.startedAt),
        };
      }),
    findLate: async (end) => {
      await restore();
      const { status, error } = await manager.checkForChanges({ barrier: true });
      if (status !== 'checked') throw error ?? new Error('The comments could not be read completely.');
      const { ledger } = manager.toState();
      const heard = await record.listHeard();
      const late: LateComment[] = [];
      for (const change of findUnanswered({ undelivered: manager.listUndelivered(), ledger, end }))
        late.push({ comment: findHeard(change, heard), by: await findAsker(options, change) });
      return late;
    },
    inbox: {
      takeDelivery: (call) =>
        inTurn(async () => {
          await restore();
          if (call.barrier) isReadToTheEnd = false;
          const taken = await inbox.takeDelivery(call);
          if (taken.status === 'checked') polledAt = monotonicNow();
          if (call.barrier) isReadToTheEnd = taken.status === 'checked';
          if (kept !== manager.getStatistics()) keep();
          return taken;
        }),
      markDelivered: (receipt) => {
        inbox.markDelivered(receipt);
        const added = receipt.delivers.filter(({ kind, id }) => kind === 'added' && id !== threadTextId);
        void options.acknowledge(
          'seen',
          added.map(({ id }) => id),
        );
      },
    },
  };
}

/** Finds the user who asks for an answer. Commands and approving reviews need none, and two programs could continue forever. */
async function findAsker(
  { guard, isTrusted }: RunInboxOptions,
  { comment: { author, body, part, subject } }: CommentChange,
): Promise<Account | null> {
  // The next run begins with the thread's text.
  if (part === 'thread' || asksForNothing(subject)) return null;
  if (author?.kind === 'bot' || parseCommand(await guard.clean(body)) !== null) return null;
  const by = toAccount(author);
  return by !== null && (await isTrusted(by, { fresh: true })) ? by : null;
}

/** Finds what came after the thread was last listened to, or after the run began. */
async function findMissed(
  options: RunInboxOptions,
  { snapshot, wasHeard }: TakenUp & { readonly snapshot: CommentListing },
): Promise<readonly CommentChange[]> {
  const manager = new CommentDetectionManager(options.comments, toDetectionOptions(options));
  manager.restore(null, await options.record.read());
  await manager.initialize(snapshot);
  return manager.listDeliverable().filter((change) => !wasHeard(change));
}

/** Composes the options by which comments are found for one run, and put into words for the model. */
function toDetectionOptions(options: RunInboxOptions): CommentDetectionOptions {
  const { settings, isTrusted, guard, record, rejections = noRejections, shares } = options;
  const pictures = describeInOrder(guard.pictures, (author) => guard.authorityOf(toAccount(author), {}));
  const fitDelivery = shares && createFitDelivery({ shares, guard, picturesOf: pictures.linesOf });
  return {
    ...toCommentDetectionOptions(settings),
    ...identifyAgent({ ...options, botName: settings.bot_username ?? options.botName }),
    ...options.clock,
    // A check says what it found, and orders nothing, whoever is trusted.
    authorityOf: async ({ author, subject }, call) =>
      subject?.kind !== 'check' && (await isTrusted(toAccount(author), call)) ? 'trusted' : 'untrusted',
    cleanText: async (text, comment) => {
      if (text === comment.body) await pictures.describe(comment);
      return guard.clean(text, comment.url);
    },
    onObserved: record.observe,
    fitDelivery,
    prepareBody: (comment, { authority }) => {
      const { author, body } = comment;
      const text = authority === 'trusted' ? rejections.tell(body) : body;
      return guard.wrap(`${markInternal(text, comment)}${pictures.linesOf(comment)}`, {
        author: author?.login ?? null,
        authority,
      });
    },
    startedAt: record.startedAt,
    taskUuid: options.uuid,
    logLocale: options.logLocale,
    logger: options.logger,
  };
}
