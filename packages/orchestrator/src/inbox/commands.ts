import type { GivenCommands } from '@agent/comment-detection';
import type { RunControls } from '@agent/run-store';
import { type Command, parseCommands } from '@agent/text';
import type { RunLogger } from '../host/ports.ts';
import { type Approvals, approveBy, findApprovalPhrase } from '../plan/approvals.ts';
import { noRejections, type Rejections } from '../plan/rejections.ts';
import type { Acknowledgements } from './acknowledgements.ts';
import type { CommandRecord, RecordedCommand } from './handled-commands.ts';

export interface CommandHandlerOptions {
  readonly uuid: string;
  readonly controls: Pick<RunControls, 'request'>;
  /** Answers `/show-history`, given in this comment; where it is left out, that command waits for one who can. */
  readonly showHistory?: ((commentId: string) => Promise<void>) | undefined;
  /** True for a run that has failed: then `/retry` is all that it can be told. Default false. */
  readonly hasFailed?: boolean | undefined;
  /** Finds and keeps the assumptions of the run that a clean text rejects. Default: it has none. */
  readonly rejections?: Pick<Rejections, 'areIn' | 'record'> | undefined;
  /** Keeps the approval of a plan. Default: nothing waits for one. */
  readonly approvals?: Pick<Approvals, 'record'> | undefined;
  /** Comments that approve a plan, if one is all that a comment says. Default none. */
  readonly approvalPhrases?: readonly string[] | undefined;
  /** Allows the thread the amount that stands behind `/budget`; false for what is none, or too much. Default: nothing costs anything. */
  readonly allowBudget?: ((argument: string) => Promise<boolean>) | undefined;
  /** Keeps that a user allows the held changes that stand behind `/allow`; false if there are none. Default: nothing is held. */
  readonly allowHeld?:
    | ((given: { readonly argument: string; readonly by: string }) => Promise<boolean>)
    | undefined;
  /** Keeps whether the run is to stay with its change request, and how long; false for what it cannot do. Default: nobody may say. */
  readonly wishWatch?:
    | ((wish: { readonly name: 'watch' | 'unwatch'; readonly argument: string }) => Promise<boolean>)
    | undefined;
  /** Receives each command that was applied. Default: nothing. */
  readonly onApplied?: ((applied: AppliedCommand) => Promise<void>) | undefined;
  /** Tells people whether their command was obeyed. */
  readonly acknowledge: Acknowledgements['give'];
  /** Says what was obeyed by this process and those before it, and keeps what is to be obeyed before it is. */
  readonly record: CommandRecord;
  readonly logger: RunLogger;
}

/** Command of a comment that was applied. */
export interface AppliedCommand {
  readonly command: HandledCommand['name'];
  /** Login of the author; null if it is unknown. */
  readonly by: string | null;
  readonly comment: string;
  readonly revision: string;
}

/**
 * Makes the function that carries out the commands of trusted people, each once, in the order in which they were given: of
 * a pause and a resume the later one holds. Who is trusted was asked when the comment was observed.
 */
export function createCommandHandler(
  options: CommandHandlerOptions,
): (given: GivenCommands<CommentCommand | 'reject'>) => Promise<void> {
  const { acknowledge, record, logger } = options;
  return async (given) => {
    const { comment, authority, revision } = given.change;
    if (given.isPhrase) return approveByPhrase(given, options);
    const { id, author } = comment;
    const command = findCommand(given, options);
    if (command === null) return;
    const trusted = authority === 'trusted';
    const argument = command === 'budget' || command === 'allow' ? findArgument(given, command) : undefined;
    const line = {
      comment: id,
      revision,
      command,
      ...(argument === undefined ? {} : { argument }),
      outcome: trusted ? 'obeyed' : 'refused',
      done: !trusted,
    } as const;
    if ((await record.list()).some((one) => one.done && isSettledBy(one, line))) return;
    await record.write(line);
    let wasDone = trusted;
    if (trusted) {
      logger.info({ command, comment: id, author: author?.login }, 'received command');
      wasDone = await carryOut(command, given, options);
      await record.write({ ...line, outcome: wasDone ? 'obeyed' : 'unknown', done: true });
    }
    const by = author?.login ?? null;
    if (wasDone) await options.onApplied?.({ command, by, comment: id, revision });
    await acknowledge(wasDone ? 'done' : 'refused', [id]);
  };
}

/** Whoever was refused is heard when they ask again; a command that was obeyed is not given again by an edit, but may reject something else, or name another amount or another end. */
function isSettledBy(
  one: RecordedCommand,
  { comment, command, revision, outcome }: RecordedCommand,
): boolean {
  if (one.comment !== comment || one.command !== command) return false;
  if (one.outcome === 'refused') return outcome === 'refused' && one.revision === revision;
  return (command !== 'reject' && !withArgument.has(command)) || one.revision === revision;
}

/** Commands that an edit of what stands behind them gives anew. */
const withArgument: ReadonlySet<HandledCommand['name']> = new Set(['allow', 'budget', 'watch']);

/** False where there is nothing that the command could mean. */
async function carryOut(
  command: HandledCommand['name'],
  given: GivenCommands,
  options: CommandHandlerOptions,
): Promise<boolean> {
  const { change, body } = given;
  const { uuid, controls, showHistory, rejections = noRejections, approvals } = options;
  if (command === 'reject') return rejections.record(body);
  if (command === 'approve') return approveBy(change.comment, { approvals, words: null });
  if (command === 'budget') return raiseBudget(given, options);
  if (command === 'allow') {
    const by = change.comment.author?.login ?? '';
    return (await options.allowHeld?.({ argument: findArgument(given, command), by })) ?? false;
  }
  if (command === 'watch' || command === 'unwatch')
    return (await options.wishWatch?.({ name: command, argument: findArgument(given, command) })) ?? false;
  if (command === 'show-history') await showHistory?.(change.comment.id);
  else await controls.request(uuid, command, { by: change.comment.author?.login });
  return true;
}

/** The last amount or end counts; of held changes all that are named. */
function findArgument({ commands }: Pick<GivenCommands, 'commands'>, command: CommentCommand): string {
  const given = commands.filter(({ name }) => name === command).map(({ argument }) => argument);
  return command === 'allow' ? given.join(' ') : (given.at(-1) ?? '');
}

/** Money has a run that failed go on, and one that is paused where the same comment says so. */
async function raiseBudget(
  given: GivenCommands,
  { uuid, controls, allowBudget, hasFailed = false }: CommandHandlerOptions,
): Promise<boolean> {
  if (!(await allowBudget?.(findArgument(given, 'budget')))) return false;
  const resumes = given.commands.some(({ name }) => name === 'resume');
  if (hasFailed) await controls.request(uuid, 'retry');
  else if (resumes) await controls.request(uuid, 'resume');
  return true;
}

/** A phrase is a command only while a plan waits for its approval, and only of a trusted user: otherwise it is a comment like any other. */
async function approveByPhrase(
  { change, body }: GivenCommands,
  { approvals, approvalPhrases = [], onApplied, record, acknowledge, logger }: CommandHandlerOptions,
): Promise<void> {
  const { comment, authority, revision } = change;
  const { id, author } = comment;
  const words = findApprovalPhrase(body, approvalPhrases);
  if (words === null || authority !== 'trusted') return;
  const line = { comment: id, revision, command: 'approve', outcome: 'obeyed', done: true } as const;
  const isKnown = (await record.list()).some((one) => one.comment === id && one.revision === revision);
  if (isKnown || !(await approveBy(comment, { approvals, words }))) return;
  logger.info({ comment: id, author: author?.login }, 'received approval phrase');
  await record.write(line);
  await onApplied?.({ command: 'approve', by: author?.login ?? null, comment: id, revision });
  await acknowledge('done', [id]);
}

/** An edit gives no command that stood there before, but for one with another amount or another end of a watch. */
function findCommand(
  { body, commands, earlier }: GivenCommands<CommentCommand | 'reject'>,
  options: CommandHandlerOptions,
): HandledCommand['name'] | null {
  const { rejections = noRejections } = options;
  const strongest = findStrongest(commands);
  const isSame =
    strongest === findStrongest(earlier) &&
    (strongest === null ||
      !withArgument.has(strongest) ||
      findArgument({ commands }, strongest) === findArgument({ commands: earlier }, strongest));
  const found = isSame ? null : strongest;
  if (found !== null) return isHeard(found, options) ? found : null;
  return rejections.areIn(body) ? 'reject' : null;
}

/** A run that failed can only be gone on from, any other cannot; both can be given money. */
function isHeard(
  command: CommentCommand,
  {
    showHistory,
    allowBudget,
    hasFailed = false,
  }: Pick<CommandHandlerOptions, 'showHistory' | 'allowBudget' | 'hasFailed'>,
): boolean {
  if (command === 'budget') return allowBudget !== undefined;
  if (hasFailed || command === 'retry') return hasFailed && command === 'retry';
  return command !== 'show-history' || showHistory !== undefined;
}

/** A command that a comment gave, and what became of it. */
export interface HandledCommand {
  readonly name: CommentCommand | 'reject';
  /** `refused`: its author may not steer. `unknown`: it rejects an assumption that there is not, approves or allows where nothing waits for it, names no amount, or no end of a watch. */
  readonly outcome: 'obeyed' | 'refused' | 'unknown';
}

/** Commands that people can give a run by a comment. */
export type CommentCommand =
  | 'stop'
  | 'pause'
  | 'approve'
  | 'allow'
  | 'budget'
  | 'resume'
  | 'retry'
  | 'unwatch'
  | 'watch'
  | 'show-history';

/** The strongest first. */
export const commandNames: readonly CommentCommand[] = [
  'stop',
  'pause',
  'approve',
  'allow',
  'budget',
  'resume',
  'retry',
  'unwatch',
  'watch',
  'show-history',
];

/** The command that a comment gives, as `parseCommands` reads it; of several the strongest: stop, then pause. */
export function parseCommand(body: string): CommentCommand | null {
  return findStrongest(parseCommands(body, commandNames).commands);
}

/** Picks the command that holds among several: stop, then pause; null where there is none. */
function findStrongest(commands: readonly Pick<Command, 'name'>[]): CommentCommand | null {
  const given = new Set<string>(commands.map(({ name }) => name));
  return commandNames.find((name) => given.has(name)) ?? null;
}

/** The body with each line that gives a command replaced; what else stands there is said to the agent. */
export function replaceCommands(body: string, toText: (command: CommentCommand) => string): string {
  const lines = body.split(/\r\n|\r|\n/);
  for (const { line, name } of parseCommands(body, commandNames).commands) lines[line] = toText(name);
  return lines.join('\n');
}

/** Replaces commands of trusted users, which code applies, by a note for the model. */
export function markHandledCommands(body: string): string {
  return replaceCommands(body, tellHandled);
}

/** Formats the line that replaces a command in the model's context. */
export function tellHandled(command: string): string {
  // The text does not show whether it approved or allowed anything.
  if (command === 'approve' || command === 'allow' || command === 'budget')
    return `(The command /${command}. It is handled automatically; you do not need to do anything.)`;
  return `(The command /${command}. It was applied automatically; you do not need to do anything.)`;
}
