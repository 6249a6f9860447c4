import type { StorageNotes } from '@agent/run-store';
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
  }),
);

/** Name of the note. */
const note = 'conditions';

/** A condition as another process reads it. */
export type KeptCondition = z.infer<typeof keptSchema>[number];

export interface KeepConditionsOptions {
  readonly notes: Pick<StorageNotes, 'write'>;
  readonly redact: (text: string) => string;
  readonly logger: RunLogger;
}

/**
 * Keeps the conditions of the board for `status`, which is another process. What cannot be written is logged.
 *
 * @returns what ends it, once what was seen last is written
 */
export function keepConditions(board: TaskBoard, options: KeepConditionsOptions): () => Promise<void> {
  let kept: ReadonlyMap<string, Condition> | null = null;
  let writing = Promise.resolve();
  const write = async (): Promise<void> => {
    const { conditions } = board.state;
    if (conditions === kept) return;
    kept = conditions;
    const shown = [...conditions.values()].map((one) => ({
      ...one,
      reason: one.reason === null ? null : options.redact(one.reason),
    }));
    await options.notes.write(note, shown);
  };
  const keep = (): void => {
    if (board.state.conditions === kept) return;
    writing = writing
      .then(write)
      .catch((error: unknown) =>
        options.logger.warn({ err: error }, 'the conditions for "status" could not be kept'),
      );
  };
  const stop = board.subscribe(keep);
  keep();
  return () => {
    stop();
    return writing;
  };
}

/**
 * Reads what the daemon of a place kept last; nothing where none has kept any.
 *
 * @throws Error for what is damaged
 * @example
 * const failed = (await readConditions(storage)).filter(({ state }) => state === 'failed');
 */
export async function readConditions({
  notes,
}: {
  readonly notes: Pick<StorageNotes, 'read'>;
}): Promise<readonly KeptCondition[]> {
  return keptSchema.parse((await notes.read(note)) ?? []);
}
