import { timestamp } from './create-state.ts';
import type { State, Thread } from './model.ts';

const touchIntervalMs = 60_000;

/**
 * What a note does to its thread's `updated_at`: it moves, but only when it is more than a minute old. GitLab throttles
 * this, so that several comments within a minute may show as one update.
 */
export function touch(state: State, thread: Thread): void {
  thread.project.lastActivityAt = timestamp(state);
  if (state.now() - Date.parse(thread.updatedAt) > touchIntervalMs) thread.updatedAt = timestamp(state);
}
