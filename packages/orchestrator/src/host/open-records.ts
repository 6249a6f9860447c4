import type { Ownership, PausedRuns, RestingRuns, RunReader, RunStorage, RunStore } from '@agent/run-store';
import type { ModelMessage } from 'ai';
import { z } from 'zod';

/** The records of runs, as all parts of one process share them. */
export interface RunRecords {
  readonly store: RunStore<ModelMessage> & PausedRuns<ModelMessage> & RestingRuns<ModelMessage>;
  /** Reads runs without owning them. */
  readonly reader: RunReader<ShownMessage>;
}

/** Opens the records for an owner. It does not load the AI SDK, so that looking for unfinished runs costs nothing at start. */
export function openRecords(
  storage: Pick<RunStorage, 'openStore' | 'openReader'>,
  owner: Ownership,
): RunRecords {
  return { store: storage.openStore<ModelMessage>({ owner, parseMessage }), reader: openReader(storage) };
}

/** A message of any run, as it is shown: nothing of it is sent to a model again, so its parts are not checked. */
const shownSchema = z.object({
  role: z.string(),
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]),
});

/** A message of a run, as far as it is shown. */
export type ShownMessage = z.infer<typeof shownSchema>;

/**
 * Reads runs without owning them: works beside a daemon that runs, and without one.
 *
 * @example
 * const reader = openReader(storage);
 * const { metadata } = await reader.readRun(uuid);
 */
export function openReader({ openReader: open }: Pick<RunStorage, 'openReader'>): RunReader<ShownMessage> {
  return open({ parseMessage: (json) => shownSchema.parse(json) });
}

/** Form that every message has; the AI SDK checks the parts again before each call. */
const messageSchema = z.object({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]),
  providerOptions: z.record(z.string(), z.unknown()).optional(),
});

/** A message as it comes back from a journal. It does not load the AI SDK. @throws for what is none */
export function parseMessage(json: unknown): ModelMessage {
  return messageSchema.parse(json) as ModelMessage;
}
