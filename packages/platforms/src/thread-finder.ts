import type { CallOptions } from './call-options.ts';
import type { TaskKey } from './task-key.ts';
import type { ThreadName } from './thread-name.ts';

/** Finds threads by the names that people know them by. */
export interface ThreadFinder {
  /**
   * The key of a thread of this platform. Rejects with `not-found` if there is none, also where the credential may not read it, and with
   * `invalid` for a kind that the platform does not have.
   */
  readonly findThread: (
    name: Pick<ThreadName, 'path' | 'number' | 'kind'>,
    options?: CallOptions,
  ) => Promise<TaskKey>;
}
