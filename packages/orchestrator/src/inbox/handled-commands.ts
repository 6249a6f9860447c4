import type { RunControls, RunState } from '@agent/run-store';
import { createTurns } from '@agent/text/waiting';
import { z } from 'zod';

const names = [
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
  'reject',
] as const;

const commandsSchema = z.object({
  commands: z.array(
    z.object({
      comment: z.string(),
      revision: z.string(),
      command: z.enum(names),
      /** Amount behind `/budget`, items behind `/allow`. */
      argument: z.string().optional(),
      outcome: z.enum(['obeyed', 'refused', 'unknown']),
      /** False while it is not certain that what it asks for was asked. */
      done: z.boolean(),
    }),
  ),
});

/** A command that a comment gave, and what became of it. */
export type RecordedCommand = z.infer<typeof commandsSchema>['commands'][number];

/** Commands of a run's thread and what became of them: lines of its record, written before the command has any effect. */
export interface CommandRecord {
  readonly list: () => Promise<readonly RecordedCommand[]>;
  /** Resolves once it is synced. Of the same command of the same revision the later one holds. */
  readonly write: (command: RecordedCommand) => Promise<void>;
}

const stateName = 'obeyed_commands.json';

/** Reads the commands of a value of a run's state; none for another value. */
export function parseCommands(name: unknown, value: unknown): readonly RecordedCommand[] {
  return name === stateName ? (commandsSchema.safeParse(value).data?.commands ?? []) : [];
}

/**
 * Opens the record of a run, also of one that is paused or has ended: a value of its state is a line of its record. The record
 * remembers the commands: two records of one run that both write overwrite each other.
 */
export function createCommandRecord(state: Pick<RunState, 'read' | 'write'>): CommandRecord {
  let known: Promise<readonly RecordedCommand[]> | null = null;
  const inTurn = createTurns();
  const list = () => {
    known ??= read(state).catch((error: unknown) => {
      known = null;
      throw error;
    });
    return known;
  };
  return {
    list,
    write: (command) =>
      inTurn(async () => {
        const others = (await list()).filter((one) => !isSame(one, command));
        const commands = [...others, command];
        await state.write(stateName, { commands });
        known = Promise.resolve(commands);
      }),
  };
}

async function read(state: Pick<RunState, 'read'>): Promise<readonly RecordedCommand[]> {
  const value = await state.read(stateName);
  return value === null ? [] : commandsSchema.parse(value).commands;
}

function isSame(one: RecordedCommand, other: RecordedCommand): boolean {
  return one.comment === other.comment && one.command === other.command && one.revision === other.revision;
}

/** Commands that ask something of the run by its control files. */
const verbs = ['stop', 'pause', 'resume', 'retry'] as const;

/**
 * Asks once more for what the record says was to be asked, where an earlier process died before it could say that it had.
 * Asking a run twice is asking it once. A pause is not asked for again that somebody has taken back since.
 */
export async function finishCommands(
  record: CommandRecord,
  {
    uuid,
    controls,
    allowBudget,
    hasFailed = false,
  }: {
    readonly uuid: string;
    readonly controls: Pick<RunControls, 'request' | 'read'>;
    readonly allowBudget?: ((argument: string) => Promise<boolean>) | undefined;
    readonly hasFailed?: boolean | undefined;
  },
): Promise<void> {
  for (const command of await record.list()) {
    const isBudget = command.command === 'budget' && allowBudget !== undefined;
    const verb = isBudget && hasFailed ? 'retry' : verbs.find((name) => name === command.command);
    if (command.done || (verb === undefined && !isBudget)) continue;
    const isAllowed = !isBudget || (await allowBudget(command.argument ?? ''));
    const isTakenBack = verb === 'pause' && (await controls.read(uuid)).includes('resume');
    if (verb !== undefined && isAllowed && !isTakenBack) await controls.request(uuid, verb);
    await record.write({ ...command, outcome: isAllowed ? command.outcome : 'unknown', done: true });
  }
}
