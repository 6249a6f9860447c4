import type { ThreadReference } from '@agent/platforms';
import { ContextStoreError } from '../context-store-error.ts';
import type { RunPlace } from '../run-model.ts';

export function hasEnded(uuid: string): ContextStoreError {
  return new ContextStoreError(`Run ${uuid} has ended. Start a new run with a new uuid.`, {
    code: 'invalid',
  });
}

export function isMissing(uuid: string, parent: string): ContextStoreError {
  return new ContextStoreError(`There is no run ${uuid} in "${parent}". Check the uuid.`, {
    code: 'invalid',
  });
}

export function isThereTwice(uuid: string): ContextStoreError {
  const message = `Run ${uuid} exists twice, as running and as paused. Compare the two directories and move one away.`;
  return new ContextStoreError(message, { code: 'damaged' });
}

function isPaused(uuid: string): ContextStoreError {
  return new ContextStoreError(`Run ${uuid} is paused. Resume it instead.`, { code: 'invalid' });
}

/** Says that another run is at work on a thread. */
export function hasOther({ taskKeyText }: ThreadReference, uuid: string): ContextStoreError {
  const message = `Run ${uuid} is already working on ${taskKeyText}, so no other run was started.`;
  return new ContextStoreError(message, { code: 'owned' });
}

export function isNotPaused(uuid: string): ContextStoreError {
  return new ContextStoreError(`Run ${uuid} is not paused. Restore it instead.`, { code: 'invalid' });
}

export function wasNeverPaused(uuid: string): ContextStoreError {
  const message = `Run ${uuid} is running and was never paused. Restore it instead.`;
  return new ContextStoreError(message, { code: 'invalid' });
}

/** Says to an opening that another one writes to the run from now on. */
export function wasTaken(uuid: string): ContextStoreError {
  const message = `Run ${uuid} was opened again elsewhere, and only the new owner can write to it. This process stops working on it.`;
  return new ContextStoreError(message, { code: 'owned' });
}

/** @throws {ContextStoreError} `invalid` for a run that waits or has ended */
export function requireRunning(uuid: string, place: RunPlace): void {
  if (place === 'completed') throw hasEnded(uuid);
  if (place === 'paused') throw isPaused(uuid);
}
