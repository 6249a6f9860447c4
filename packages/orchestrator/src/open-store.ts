import type { PausedRuns, RestingRuns, RunStore } from '@agent/run-store';
import { createFileRunStore } from '@agent/run-store/file';
import type { ModelMessage } from 'ai';
import { parseMessage } from './parse-message.ts';
import type { RunIndex } from './past/upkeep.ts';
import type { RunLogger } from './ports.ts';

/** The store of runs. It does not load the AI SDK, so that looking for unfinished runs costs nothing at start. */
export function openStore(
  directories: { readonly baseDirectory: string; readonly pausedDirectory: string },
  options: { readonly openIndex: () => Promise<RunIndex>; readonly logger: RunLogger },
): RunStore<ModelMessage> & PausedRuns<ModelMessage> & RestingRuns<ModelMessage> {
  return createFileRunStore<ModelMessage>({ ...directories, ...options, parseMessage });
}
