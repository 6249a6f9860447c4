import { randomUUID } from 'node:crypto';
import type { SharedCredentials, SharedUse } from '@agent/platforms/sources';
import { ContextStoreError, type JsonObject, type RunStorage, type StorageNotes } from '@agent/run-store';
import { z } from 'zod';

/** Name of the note with the use of each credential. */
const note = 'request-use';
const hourMs = 3_600_000;

const keptSchema = z.object({ key: z.string(), process: z.string(), at: z.number(), report: z.string() });
type Kept = z.output<typeof keptSchema>;

export interface KeptUseOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Nothing is stored once it is aborted. */
  readonly signal: AbortSignal;
  /** Names this process. Default a random UUID. */
  readonly process?: string | undefined;
}

/**
 * Stores what a process used of its credentials for the processes after it, where one at a time has them: the counts of the last hour
 * survive a restart and a crash.
 */
export function createKeptUse(
  notes: Pick<StorageNotes, 'change' | 'write'>,
  { now, signal, process = randomUUID() }: KeptUseOptions,
): SharedUse {
  return {
    exchange: async (key, report) => {
      if (signal.aborted) return [];
      const own = { key, process, at: now(), report: toPast(report) };
      let others: readonly Kept[] = [];
      const change = (value: unknown) => {
        const kept = parseKept(value).filter(({ at }) => at > now() - hourMs);
        others = kept.filter((one) => one.key === key && one.process !== process);
        return [...kept.filter((one) => one.key !== key || one.process !== process), own];
      };
      await notes.change(note, change).catch((error: unknown) => {
        if (!ContextStoreError.isInstance(error) || error.code !== 'damaged') throw error;
        return notes.write(note, [own]);
      });
      return others.map(({ at, report: past }) => ({ ageMs: Math.max(0, now() - at), report: past }));
    },
  };
}

/** Opens what the processes of a place share of their credentials; of one that has it for itself, what its predecessors used. */
export function openCredentials(
  { sharing, notes }: Pick<RunStorage, 'sharing' | 'notes'>,
  options: KeptUseOptions,
): SharedCredentials {
  return sharing ?? { use: createKeptUse(notes, options), answers: null };
}

const parseKept = (value: unknown): readonly Kept[] =>
  (Array.isArray(value) ? value : []).flatMap((one) => keptSchema.safeParse(one).data ?? []);

/** Of a process that has ended, nothing polls and runs any more. */
function toPast(report: string): string {
  const parsed = JSON.parse(report) as JsonObject;
  return JSON.stringify({ ...parsed, pollers: 0, runs: 0 });
}
