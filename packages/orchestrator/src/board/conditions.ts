import {
  ContextStoreError,
  type StorageMember,
  type StorageMembers,
  type StorageNotes,
} from '@agent/run-store';
import { z } from 'zod';
import type { RunLogger } from '../ports.ts';
import type { Condition } from './board-event.ts';
import type { TaskBoard } from './task-board.ts';

const keptSchema = z.array(
  z.object({
    part: z.string(),
    state: z.enum(['ok', 'waiting', 'failed']),
    since: z.number(),
    reason: z.string().nullable(),
    /** Number of the process that saw it. */
    member: z.number(),
  }),
);

/** Name of the note. */
const note = 'conditions';

/** A condition as another process reads it. */
export type KeptCondition = z.infer<typeof keptSchema>[number];

/** Place of conditions, as far as they need it. */
interface ConditionsPlace<Use extends keyof StorageNotes> {
  readonly notes: Pick<StorageNotes, Use>;
  readonly members: Pick<StorageMembers, 'list'>;
}

export interface KeepConditionsOptions {
  readonly storage: ConditionsPlace<'change' | 'write'>;
  /** Number of this process in the place. */
  readonly member: number;
  readonly redact: (text: string) => string;
  readonly logger: RunLogger;
}

/**
 * Keeps the conditions of the board for `status`, which is another process, beside those of others that work in the place. What cannot be
 * written is logged.
 *
 * @returns what ends it, once what was seen last is written
 */
export function keepConditions(board: TaskBoard, options: KeepConditionsOptions): () => Promise<void> {
  let kept: ReadonlyMap<string, Condition> | null = null;
  const { storage, member, redact, logger } = options;
  let writing = Promise.resolve();
  const write = async (): Promise<void> => {
    const { conditions } = board.state;
    if (conditions === kept) return;
    kept = conditions;
    const shown = [...conditions.values()].map((one) => ({
      ...one,
      reason: one.reason === null ? null : redact(one.reason),
      member,
    }));
    const others = (await storage.members.list()).filter(({ number }) => number !== member);
    const change = (before: unknown) => [...ofMembers(parseKept(before), others), ...shown];
    await storage.notes.change(note, change).catch((error: unknown) => {
      if (!(error instanceof z.ZodError || (ContextStoreError.isInstance(error) && error.code === 'damaged')))
        throw error;
      // What cannot be read helps nobody.
      return storage.notes.write(note, shown);
    });
  };
  const keep = (): void => {
    if (board.state.conditions === kept) return;
    writing = writing
      .then(write)
      .catch((error: unknown) => logger.warn({ err: error }, 'failed to save status conditions'));
  };
  const stop = board.subscribe(keep);
  keep();
  return () => {
    stop();
    return writing;
  };
}

const parseKept = (value: unknown): readonly KeptCondition[] => keptSchema.parse(value ?? []);

const ofMembers = (kept: readonly KeptCondition[], members: readonly StorageMember[]) =>
  kept.filter((one) => members.some(({ number }) => number === one.member));

/**
 * Reads what the processes that work in a place kept last; where none works, what the last ones kept. Nothing where none has kept any.
 *
 * @throws Error for what is damaged
 * @example
 * const failed = (await readConditions(storage)).filter(({ state }) => state === 'failed');
 */
export async function readConditions({
  notes,
  members,
}: ConditionsPlace<'read'>): Promise<readonly KeptCondition[]> {
  const kept = parseKept(await notes.read(note));
  const living = await members.list();
  return living.length === 0 ? kept : ofMembers(kept, living);
}
