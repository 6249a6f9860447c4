import type { OpenFiles } from '../disk/open-files.ts';
import { replaceFile } from '../disk/replace-file.ts';

/** How many characters of lines may wait in memory. */
const maxWaiting = 16 * 1024;

/**
 * `current.jsonl`, what the model sees, line by line. Nothing rests on it, so its lines wait in memory until they are
 * worth a write or the run comes to rest; an opening writes it anew.
 * @see decision X14
 */
export interface ContextProjection {
  readonly add: (line: string) => Promise<void>;
  /** Puts these lines in the place of all. */
  readonly replace: (text: string) => Promise<void>;
  /** Writes what waits. */
  readonly flush: () => Promise<void>;
}

/** @param path the file, which must be there and whole */
export function createContextProjection(path: string, files: OpenFiles): ContextProjection {
  let waiting: string[] = [];
  let length = 0;

  function takeWaiting(): string {
    const text = waiting.join('');
    waiting = [];
    length = 0;
    return text;
  }

  async function flush(): Promise<void> {
    if (waiting.length > 0) await files.append(path, takeWaiting(), { sync: false });
  }

  return {
    add: async (line) => {
      waiting.push(line);
      length += line.length;
      if (length >= maxWaiting) await flush();
    },
    replace: async (text) => {
      takeWaiting();
      // Windows renames nothing over a file that is open.
      await files.close([path]);
      await replaceFile(path, text, { sync: false });
    },
    flush,
  };
}
