import type { ThreadReference } from '@agent/platforms';
import { ContextStoreError } from '../context-store-error.ts';

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

export function isPaused(uuid: string): ContextStoreError {
  return new ContextStoreError(`Run ${uuid} is paused. Resume it instead.`, { code: 'invalid' });
}

/** Says that another run is at work on a thread. */
export function hasOther({ taskKeyText }: ThreadReference, uuid: string): ContextStoreError {
  const message = `Run ${uuid} is already working on ${taskKeyText}, so no other run was started.`;
  return new ContextStoreError(message, { code: 'owned' });
}
