import { createFileRunStore, type PausedRuns, type RunStore } from '@agent/context-inheritance';
import type { ModelMessage } from 'ai';
import { z } from 'zod';
import type { DaemonLogger } from './log/logger.ts';

/** What a message needs to be one; the AI SDK checks the parts again before each call. */
const messageSchema = z.object({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]),
  providerOptions: z.record(z.string(), z.unknown()).optional(),
});

/** The store of runs. It does not load the AI SDK, so that looking for unfinished runs costs nothing at start. */
export function openStore(
  directories: { readonly baseDirectory: string; readonly pausedDirectory: string },
  logger: DaemonLogger,
): RunStore<ModelMessage> & PausedRuns<ModelMessage> {
  const parseMessage = (json: unknown): ModelMessage => messageSchema.parse(json) as ModelMessage;
  return createFileRunStore<ModelMessage>({ ...directories, parseMessage, logger });
}
