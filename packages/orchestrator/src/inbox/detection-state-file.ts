import type { RunState } from '@agent/run-store';
import type { RunLogger } from '../ports.ts';

export interface DetectionStateFile {
  /** What an earlier process kept; null when there is nothing, or nothing that can be read. */
  readonly read: () => Promise<unknown>;
  /** Keeps the newest state soon; the journal holds what counts, so a state that is lost costs nothing. */
  readonly save: (state: unknown) => void;
}

/** `comment_detection_state.json` in the state of a run. @see docs/requirements.md X14 */
export function createDetectionStateFile(runState: RunState, logger: RunLogger): DetectionStateFile {
  const name = 'comment_detection_state.json';
  return {
    read: async () => {
      try {
        return await runState.read(name);
      } catch (error) {
        logger.warn({ err: error }, 'the state of comment detection cannot be read');
        return null;
      }
    },
    save: (state) => {
      runState
        .write(name, state, { sync: false })
        .catch((error: unknown) =>
          logger.warn({ err: error }, 'the state of comment detection was not kept'),
        );
    },
  };
}
