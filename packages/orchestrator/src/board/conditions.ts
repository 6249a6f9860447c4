import { readFile, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '@agent/run-store/file';
import { z } from 'zod';
import type { RunLogger } from '../ports.ts';
import type { Condition, ObserveBoard } from './board-event.ts';
import type { TaskBoard } from './task-board.ts';

const keptSchema = z.array(
  z.object({
    part: z.string(),
    state: z.enum(['ok', 'waiting', 'failed']),
    since: z.number(),
    reason: z.string().nullable(),
  }),
);

/** A condition as another process reads it. */
export type KeptCondition = z.infer<typeof keptSchema>[number];

export interface KeepConditionsOptions {
  /** The directory of runs. */
  readonly directory: string;
  readonly redact: (text: string) => string;
  readonly logger: RunLogger;
}

/**
 * Keeps the conditions of the board in a file for `status`, which is another process. A file that cannot be written is logged.
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
    await replaceFile(pathIn(options.directory), `${JSON.stringify(shown)}\n`);
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
 * Reads what the daemon of a directory kept last; nothing where none has kept any.
 *
 * @throws Error for a file that is damaged
 * @example
 * const failed = (await readConditions('contexts')).filter(({ state }) => state === 'failed');
 */
export async function readConditions(directory: string): Promise<readonly KeptCondition[]> {
  const text = await readFile(pathIn(directory), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '[]';
    throw error;
  });
  return keptSchema.parse(JSON.parse(text));
}

function pathIn(directory: string): string {
  return join(directory, 'conditions.json');
}

export interface CheckDiskOptions {
  /** The directory of runs. */
  readonly directory: string;
  readonly observe: ObserveBoard;
  /** Bytes that have to be free. Default 64 MiB. */
  readonly minFreeBytes?: number | undefined;
}

const mebibyte = 1_048_576;

/** Looks whether runs can be kept, and tells the board as the condition `disk`. Never rejects. */
export async function checkDisk(options: CheckDiskOptions): Promise<void> {
  const reason = await findReason(options);
  options.observe({ type: 'condition', part: 'disk', state: reason === null ? 'ok' : 'failed', reason });
}

async function findReason({
  directory,
  minFreeBytes = 64 * mebibyte,
}: CheckDiskOptions): Promise<string | null> {
  try {
    const { bavail, bsize } = await statfs(directory);
    if (bavail * bsize >= minFreeBytes) return null;
    return `The disk of the runs has less than ${minFreeBytes / mebibyte} MiB left. Make room there.`;
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    return `The directory of the runs cannot be looked at (${code}). Make it readable for this account.`;
  }
}
