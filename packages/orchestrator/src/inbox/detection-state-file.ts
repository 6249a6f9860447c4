import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunLogger } from '../ports.ts';

export interface DetectionStateFile {
  /** What an earlier process kept; null when there is nothing, or nothing that can be read. */
  readonly read: () => Promise<unknown>;
  /** Keeps the newest state soon; the journal holds what counts, so a state that is lost costs nothing. */
  readonly save: (state: unknown) => void;
}

/** `comment_detection_state.json` in the directory of a run. @see docs/requirements.md X14 */
export function createDetectionStateFile(directory: string, logger: RunLogger): DetectionStateFile {
  const path = join(directory, 'comment_detection_state.json');
  let writing: Promise<void> = Promise.resolve();
  const write = async (text: string): Promise<void> => {
    await writeFile(`${path}.tmp`, text, { mode: 0o600 });
    await rename(`${path}.tmp`, path);
  };
  return {
    read: async () => {
      try {
        return JSON.parse(await readFile(path, 'utf8'));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
          logger.warn({ err: error }, 'the state of comment detection cannot be read');
        return null;
      }
    },
    save: (state) => {
      const text = `${JSON.stringify(state)}\n`;
      writing = writing
        .then(() => write(text))
        .catch((error: unknown) =>
          logger.warn({ err: error }, 'the state of comment detection was not kept'),
        );
    },
  };
}
