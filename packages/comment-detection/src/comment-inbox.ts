import type { CallOptions } from '@agent/platforms';
import { type Command, parseCommands } from '@agent/text';
import { checkOptions, type Expectation, expected, expectList } from '@agent/text/options';
import type { CommentChange, DeliveryReceipt, TakenDelivery } from './changes.ts';
import type { CommentSource, SourceComment } from './comment.ts';
import { CommentDetectionManager } from './comment-detection-manager.ts';
import { type CommentDetectionOptions, detectionExpectations } from './comment-detection-options.ts';
import { toCleaner } from './compose-delivery.ts';

/** Port that a runner asks at its checkpoints. */
export interface CommentInbox {
  /** Remembers what was said and what was told: state, statistics, what is undelivered. */
  readonly manager: CommentDetectionManager;
  /** Rejects when a comment could not be cleaned or a command not be carried out; it is tried again at the next call. */
  readonly takeDelivery: (options: { readonly barrier: boolean } & CallOptions) => Promise<TakenDelivery>;
  readonly markDelivered: (receipt: DeliveryReceipt) => void;
  /**
   * Has the commands of these changes carried out, by default of all that is undelivered and kept; looks at nothing and
   * delivers nothing. Those of whom nobody can say whether their author may steer wait. True where there was one.
   */
  readonly runCommands: (changes?: readonly CommentChange[]) => Promise<boolean>;
}

/** Commands that one revision of a comment gives. */
export interface GivenCommands<Name extends string = string> {
  readonly change: CommentChange;
  /** The comment's clean body. */
  readonly body: string;
  /** In the order of the body; never empty. */
  readonly commands: readonly Command<Name>[];
  /** Those that the body gave when the model was told of it before: an edit does not give them again. */
  readonly earlier: readonly Command<Name>[];
  /** True if the comment has no command with a slash, and gives its one by a phrase (`readPhrase`). */
  readonly isPhrase: boolean;
}

/** Options of the inbox of comments: those of the manager that it makes, and what becomes of commands. */
export interface CommentInboxOptions<Name extends string = string> extends CommentDetectionOptions {
  /** Names of commands, with or without their slash. Default none. */
  readonly commands?: readonly Name[] | undefined;
  /**
   * Names the command that a whole comment without a slash gives, such as `approve` for "LGTM"; null for none. The model still
   * reads the comment as written. Default: only lines that begin with a slash give commands.
   */
  readonly readPhrase?: ((body: string) => Name | null) | undefined;
  /**
   * Carries out the commands of a comment, if its author may give them (`given.change.authority`, never `unknown`): they
   * are read once for each revision, before a message is composed. Where it rejects, it is called again with the next look.
   * Default: nobody obeys.
   */
  readonly onCommands?: ((given: GivenCommands<Name>) => Promise<void>) | undefined;
  /** The line that the model reads in the place of a command of somebody who may steer. Default: the command as written. */
  readonly tellCommand?: ((command: Command<Name>) => string) | undefined;
  /** Told of every delivery that was kept, e.g. to react to its comments or to save the manager's state. */
  readonly onDelivered?: ((receipt: DeliveryReceipt) => void) | undefined;
}

/** Conditions of the options that only an inbox has. */
const inboxExpectations = {
  commands: expectList(expected.commandName),
  readPhrase: expected.function,
  onCommands: expected.function,
  tellCommand: expected.function,
  onDelivered: expected.function,
} as const satisfies Record<Exclude<keyof CommentInboxOptions, keyof CommentDetectionOptions>, Expectation>;

/**
 * A thread as a runner hears it. Taking a delivery looks at the thread, has commands carried out, and brings all that is
 * undelivered, from earlier looks too; what was taken and never marked is brought again. At the barrier only what trusted
 * people said keeps a run from ending: the rest comes along with it, or stays undelivered for the report.
 *
 * @example
 * const inbox = createCommentInbox(source, {
 *   commands: ['stop'],
 *   onCommands: async ({ change }) => (change.authority === 'trusted' ? stop() : undefined),
 * });
 * const { delivery } = await inbox.takeDelivery({ barrier: false });
 *
 * @see decision B21
 */
export function createCommentInbox<Name extends string = string>(
  source: CommentSource,
  options: CommentInboxOptions<Name> = {},
): CommentInbox {
  checkOptions('CommentInboxOptions', options, { ...detectionExpectations, ...inboxExpectations });
  const { commands: names = [], readPhrase, onCommands, tellCommand, onDelivered, ...detection } = options;
  const reader = createCommandReader(names, { ...detection, readPhrase });
  const manager = new CommentDetectionManager(source, {
    needsFreshAuthority: reader.givesCommand,
    ...detection,
    ...(tellCommand === undefined ? {} : { prepareBody: toPrepareBody(options, reader) }),
  });
  const settled = new Set<string>();
  const runCommands = async (changes = manager.listDeliverable()): Promise<boolean> => {
    if (names.length === 0 || onCommands === undefined) return false;
    let hasCommands = false;
    for (const change of changes) {
      const { kind, comment, revision, authority = 'unknown' } = change;
      const key = `${kind} ${comment.id} ${revision} ${authority}`;
      if (settled.has(key) || authority === 'unknown') continue;
      const given = await reader.read(change);
      if (given.commands.length > 0) {
        hasCommands = true;
        await onCommands(given);
      }
      settled.add(key);
    }
    return hasCommands;
  };
  return { ...createDeliveries(manager, { runCommands, onDelivered }), manager, runCommands };
}

/** The part of an inbox that brings comments, for a manager that somebody else has made. */
export function createDeliveries(
  manager: CommentDetectionManager,
  {
    runCommands = async () => false,
    onDelivered,
  }: Pick<CommentInboxOptions, 'onDelivered'> & Partial<Pick<CommentInbox, 'runCommands'>> = {},
): Pick<CommentInbox, 'takeDelivery' | 'markDelivered'> {
  return {
    takeDelivery: ({ barrier, signal }) => manager.takeDelivery({ barrier, signal, runCommands }),
    markDelivered: (receipt) => {
      manager.markDelivered(receipt);
      onDelivered?.(receipt);
    },
  };
}

interface CommandReader<Name extends string> {
  /** True as well if the comment could not be cleaned. */
  readonly givesCommand: (comment: SourceComment) => Promise<boolean>;
  readonly read: (change: CommentChange) => Promise<GivenCommands<Name>>;
  /** The body of a comment that was read, with its commands in other words. */
  readonly replace: (comment: SourceComment, toText: (command: Command<Name>) => string) => string;
}

/** Reads each body once. */
function createCommandReader<Name extends string>(
  names: readonly Name[],
  { cleanText: given, readPhrase = () => null }: Pick<CommentInboxOptions<Name>, 'cleanText' | 'readPhrase'>,
): CommandReader<Name> {
  const cleanText = toCleaner(given);
  const known = new Map<string, readonly Command<Name>[]>();
  return {
    givesCommand: async (comment) => {
      // Most comments have no slash, and need no cleaning for this.
      if (comment.part === 'thread' || !/[/\uff0f]/.test(comment.body)) return false;
      try {
        return parseCommands(await cleanText(comment.body, comment), names).commands.length > 0;
      } catch {
        return true;
      }
    },
    read: async (change) => {
      const { kind, comment, previousBody } = change;
      // Whoever may edit a thread's text need not be its author: nobody commands by it.
      if (kind === 'deleted' || comment.part === 'thread')
        return { change, body: '', commands: [], earlier: [], isPhrase: false };
      const body = await cleanText(comment.body, comment);
      const { commands } = parseCommands(body, names);
      known.set(comment.id, commands);
      const name = commands.length > 0 ? null : readPhrase(body);
      if (name !== null) {
        const command = { name, argument: '', line: 0, written: body };
        return { change, body, commands: [command], earlier: [], isPhrase: true };
      }
      const isNew = commands.length === 0 || previousBody === null;
      const before = isNew ? '' : await cleanText(previousBody, comment);
      return { change, body, commands, earlier: parseCommands(before, names).commands, isPhrase: false };
    },
    // The body may have been cut since: a command that stood in the rest is not there.
    replace: ({ id, body }, toText) => {
      const commands = known.get(id) ?? [];
      if (commands.length === 0) return body;
      const lines = body.split(/\r\n|\r|\n/);
      for (const command of commands) {
        if (lines[command.line] === command.written) lines[command.line] = toText(command);
      }
      return lines.join('\n');
    },
  };
}

function toPrepareBody<Name extends string>(
  { tellCommand, prepareBody = ({ body }) => body }: CommentInboxOptions<Name>,
  { replace }: CommandReader<Name>,
): NonNullable<CommentDetectionOptions['prepareBody']> {
  return (comment, context) => {
    if (tellCommand === undefined || context.authority !== 'trusted') return prepareBody(comment, context);
    return prepareBody({ ...comment, body: replace(comment, tellCommand) }, context);
  };
}
