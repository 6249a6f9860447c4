import { replayReceipt } from './apply-receipt.ts';
import type { DeliveryReceipt } from './changes.ts';
import { type DetectionMemory, emptyMemory } from './detection-memory.ts';
import { readDetectionState } from './detection-state.ts';

/**
 * The memory of a run that goes on: its state, and over it all deliveries of the journal, which are the truth.
 * A state that is lost or damaged is none; what is then neither delivered nor older than the task is news.
 *
 * @see decision X14
 */
export function restoreMemory(
  state: unknown,
  delivered: readonly DeliveryReceipt[],
): { readonly memory: DetectionMemory; readonly damaged: boolean } {
  const kept = readDetectionState(state);
  const memory = kept ?? emptyMemory;
  const ledger = delivered.reduce(replayReceipt, memory.ledger);
  return { memory: { ...memory, ledger }, damaged: kept === null && state !== null && state !== undefined };
}
