import type { CommentChange } from '@agent/comment-detection';
import type { RunControls } from '@agent/run-store';
import type { RunLogger } from '../ports.ts';
import { noRejections, type Rejections } from '../pre-plan/rejections.ts';
import type { Acknowledgements } from './create-acknowledgements.ts';
import type { TextGuard } from './create-text-guard.ts';
import { type IsTrusted, toAccount } from './create-trust.ts';
import type { HandledCommand } from './delivered-comment.ts';
import { type CommentCommand, parseCommand } from './parse-command.ts';

export interface CommandHandlerOptions {
  readonly uuid: string;
  readonly controls: Pick<RunControls, 'drop'>;
  readonly isTrusted: IsTrusted;
  readonly guard: Pick<TextGuard, 'clean'>;
  /** Answers `/show-history`, given in this comment; where it is left out, that command waits for one who can. */
  readonly showHistory?: ((commentId: string) => Promise<void>) | undefined;
  /** Whether the run has failed: then `/retry` is all that it can be told. Default false. */
  readonly hasFailed?: boolean | undefined;
  /** What a clean text rejects of the run's assumptions; the model is told what follows. Default: it has none. */
  readonly rejections?: Pick<Rejections, 'areIn' | 'record'> | undefined;
  /** Tells people whether their command was obeyed. */
  readonly acknowledge: Acknowledgements['give'];
  /** Told of each command, once it is known what becomes of it. */
  readonly onCommand?: ((commentId: string, command: HandledCommand) => void) | undefined;
  readonly logger: RunLogger;
}

/**
 * Makes what carries out the commands of trusted people, each once, in the order in which they were given: of a pause
 * and a resume the later one holds. As long as nobody can say whether somebody is trusted, the command waits for the
 * next call, even when the model has been told of the comment by then.
 */
export function createCommandHandler(
  options: CommandHandlerOptions,
): (changes: readonly CommentChange[]) => Promise<void> {
  const { uuid, controls, isTrusted, guard, rejections = noRejections, acknowledge, logger } = options;
  const obeyed = new Set<string>();
  const waiting = new Map<string, CommentChange>();
  return async (changes) => {
    for (const change of changes) waiting.set(change.comment.id, change);
    for (const [id, change] of [...waiting]) {
      const { author, body } = change.comment;
      const found = await findCommand(change, guard);
      const isMute = found !== null && !isHeard(found, options);
      const command = isMute ? null : (found ?? (await findRejection(change, { guard, rejections })));
      // An edit may reject something else.
      const name = `${id} ${command} ${command === 'reject' ? body : ''}`;
      if (command !== null && !obeyed.has(name)) {
        const trusted = await isTrusted(toAccount(author), { fresh: true }).catch(() => null);
        if (trusted === null) continue;
        let wasDone = trusted;
        if (trusted) {
          logger.info({ command, comment: id, author: author?.login }, 'a command was given on the thread');
          if (command === 'show-history') await options.showHistory?.(id);
          else if (command === 'reject') wasDone = await rejections.record(await guard.clean(body));
          else await controls.drop(uuid, command);
          obeyed.add(name);
        }
        const outcome = trusted ? (wasDone ? 'obeyed' : 'unknown') : 'refused';
        options.onCommand?.(id, { name: command, outcome });
        acknowledge(wasDone ? 'done' : 'refused', [id]);
      }
      waiting.delete(id);
    }
  };
}

/** A run that failed can only be gone on from, any other cannot. */
function isHeard(
  command: CommentCommand,
  { showHistory, hasFailed = false }: Pick<CommandHandlerOptions, 'showHistory' | 'hasFailed'>,
): boolean {
  if (hasFailed || command === 'retry') return hasFailed && command === 'retry';
  return command !== 'show-history' || showHistory !== undefined;
}

/** What a page does not show commands nothing, and an edit gives no command that stood there before. */
async function findCommand(
  { kind, comment, previousBody }: CommentChange,
  { clean }: Pick<TextGuard, 'clean'>,
): Promise<CommentCommand | null> {
  if (kind === 'deleted') return null;
  const command = parseCommand(await clean(comment.body));
  const isOld = previousBody !== null && parseCommand(await clean(previousBody)) === command;
  return isOld ? null : command;
}

async function findRejection(
  { kind, comment }: CommentChange,
  {
    guard,
    rejections,
  }: { readonly guard: CommandHandlerOptions['guard']; readonly rejections: Pick<Rejections, 'areIn'> },
): Promise<'reject' | null> {
  return kind !== 'deleted' && rejections.areIn(await guard.clean(comment.body)) ? 'reject' : null;
}
