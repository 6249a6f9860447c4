import { createFileRunStore, type PausedRuns, type RunStore } from '@agent/run-store';
import type { ModelMessage } from 'ai';
import type { RunIndex } from './inheritance/open-run-index.ts';
import type { DaemonLogger } from './log/logger.ts';
import { parseMessage } from './parse-message.ts';

/** The store of runs. It does not load the AI SDK, so that looking for unfinished runs costs nothing at start. */
export function openStore(
  directories: { readonly baseDirectory: string; readonly pausedDirectory: string },
  options: { readonly openIndex: () => Promise<RunIndex>; readonly logger: DaemonLogger },
): RunStore<ModelMessage> & PausedRuns<ModelMessage> {
  const { openIndex, logger } = options;
  const indexRun = async (directory: string): Promise<void> => (await openIndex()).indexRun(directory);
  return createFileRunStore<ModelMessage>({ ...directories, parseMessage, indexRun, logger });
}
