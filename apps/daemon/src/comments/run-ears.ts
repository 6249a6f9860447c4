import {
  type CommentChange,
  CommentDetectionManager,
  createCommentInbox,
  type DeliveryReceipt,
  type Comment as DetectedComment,
  toCommentDetectionOptions,
} from '@agent/comment-detection';
import type { RunControls } from '@agent/context-inheritance';
import { type Account, type CommentListing, type CommentSource, parseCommentMarker } from '@agent/platforms';
import type { CommentInbox } from '@agent/runner';
import type { Config } from '../config/schema.ts';
import type { DaemonLogger } from '../log/logger.ts';
import type { Locale } from '../task/locale.ts';
import type { IsTrusted } from './create-trust.ts';
import type { HeardComment } from './heard-comment.ts';
import { type Delivered, listHeard } from './list-heard.ts';
import { parseCommand } from './parse-command.ts';

export interface RunEarsOptions {
  readonly uuid: string;
  readonly comments: CommentSource;
  readonly ownAccount: Account;
  readonly isTrusted: IsTrusted;
  readonly controls: RunControls;
  readonly settings: Config['comment_detection'];
  /** When the run began (ISO 8601): what is older is no news when nothing else is known. */
  readonly startedAt: string;
  readonly locale: Locale;
  /** Keeps what was heard, so that the next process goes on from it; a cache of what the journal says. */
  readonly save: (state: unknown) => void;
  readonly logger: DaemonLogger;
}

/** A delivery that the journal holds; `opening` when the first prompt made it, and not a comment that came. */
export interface JournalledDelivery extends DeliveryReceipt {
  readonly opening: boolean;
}

/** How one run hears what is said on its thread. */
export interface RunEars {
  readonly inbox: CommentInbox;
  /** Takes the snapshot that the first prompt is made from for known. */
  readonly begin: (snapshot: CommentListing) => Promise<void>;
  /** Goes on from what an earlier process kept, and from the deliveries that the journal holds. */
  readonly restore: (state: unknown, delivered: readonly JournalledDelivery[]) => void;
  /** Every comment that came while the run was under way, and whether the model was told of it. */
  readonly report: () => readonly HeardComment[];
}

/**
 * New, edited and deleted comments for one run: found by the manager, marked by who may steer, delivered by the
 * runner at its checkpoints. Commands of trusted people are obeyed here and reach the model only as obeyed.
 */
export function createRunEars(options: RunEarsOptions): RunEars {
  const { uuid, comments, settings, controls, isTrusted, logger } = options;
  const told: Delivered[] = [];
  const obeyed = new Set<string>();
  const manager = new CommentDetectionManager(comments, {
    ...toCommentDetectionOptions(settings),
    ...identify(options),
    authorityOf: async ({ author }, call) =>
      (await isTrusted(toAccount(author), call)) ? 'trusted' : 'untrusted',
    prepareBody: ({ body }, { authority }) => {
      const command = authority === 'trusted' ? parseCommand(body) : null;
      return command === null
        ? body
        : `(The command /${command}. It was carried out; there is nothing to do about it.)`;
    },
    startedAt: options.startedAt,
    taskUuid: uuid,
    logLocale: options.locale,
    logger,
  });
  const inbox = createCommentInbox(manager, { onDelivered: () => options.save(manager.toState()) });

  async function obey(changes: readonly CommentChange[]): Promise<void> {
    for (const { kind, comment } of changes) {
      const command = kind === 'deleted' ? null : parseCommand(comment.body);
      if (command === null || obeyed.has(comment.id)) continue;
      if (!(await isTrusted(toAccount(comment.author)).catch(() => false))) continue;
      obeyed.add(comment.id);
      logger.info(
        { command, comment: comment.id, author: comment.author?.login },
        'a command was given on the thread',
      );
      await controls.drop(uuid, command);
    }
  }

  return {
    begin: async (snapshot) => {
      await manager.initialize(snapshot);
      options.save(manager.toState());
    },
    restore: (state, delivered) => {
      manager.restore(state, delivered);
      told.push(...delivered.flatMap(({ opening, delivers }) => (opening ? [] : delivers)));
    },
    report: () =>
      listHeard({ told, undelivered: manager.listUndelivered(), ledger: manager.toState().ledger }),
    inbox: {
      takeDelivery: async (call) => {
        const taken = await inbox.takeDelivery(call);
        await obey(manager.listUndelivered());
        return taken;
      },
      markDelivered: (receipt) => {
        told.push(...receipt.delivers);
        inbox.markDelivered(receipt);
      },
    },
  };
}

/**
 * An account of its own is the agent's alone. One that belongs to a person speaks for the agent only where our
 * marker stands: what that person writes by hand is heard like anybody else's words.
 */
function identify({ ownAccount, settings }: RunEarsOptions) {
  if (settings.bot_username !== null) return {};
  if (ownAccount.kind === 'bot') return { botId: ownAccount.id, botUsername: ownAccount.login };
  return {
    isOwnComment: ({ author, body }: DetectedComment) =>
      author?.id === ownAccount.id && parseCommentMarker(body) !== null,
  };
}

function toAccount(author: DetectedComment['author']): Account | null {
  return author === null ? null : { id: author.id, login: author.login, kind: author.kind ?? 'person' };
}
