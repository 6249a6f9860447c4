import { createFileRunStore, type PausedRuns, type RunStore } from '@agent/context-inheritance';
import type { ModelMessage } from 'ai';
import { z } from 'zod';
import type { RunIndex } from './inheritance/open-run-index.ts';
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
  options: { readonly openIndex: () => Promise<RunIndex>; readonly logger: DaemonLogger },
): RunStore<ModelMessage> & PausedRuns<ModelMessage> {
  const { openIndex, logger } = options;
  const parseMessage = (json: unknown): ModelMessage => messageSchema.parse(json) as ModelMessage;
  const indexRun = async (directory: string): Promise<void> => (await openIndex()).indexRun(directory);
  return createFileRunStore<ModelMessage>({ ...directories, parseMessage, indexRun, logger });
}
