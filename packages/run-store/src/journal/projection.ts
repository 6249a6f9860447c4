import type { Logger } from '@agent/text';
import { readFileIfThere, replaceFile } from '../disk/files.ts';
import type { OpenFiles } from '../disk/open-files.ts';

/** Characters of lines that may wait in memory. */
const maxWaiting = 16 * 1024;

/**
 * A file of lines that says again what the record says. Nothing rests on it, so its lines wait in memory until they are
 * worth a write or the run comes to rest; an opening writes it anew. What the disk refuses is logged.
 * @see decision X14
 */
export interface Projection {
  readonly add: (line: string) => Promise<void>;
  /** Puts this text in the place of all. */
  readonly replace: (text: string) => Promise<void>;
  /** Writes what waits. */
  readonly flush: () => Promise<void>;
}

interface ProjectionOptions {
  readonly files: OpenFiles;
  readonly logger: Logger | null;
}

export function createProjection(path: string, { files, logger }: ProjectionOptions): Projection {
  let waiting: string[] = [];
  let length = 0;

  function takeWaiting(): string {
    const text = waiting.join('');
    waiting = [];
    length = 0;
    return text;
  }

  const logged = (write: Promise<void>) =>
    write.catch((err: unknown) => {
      logger?.warn({ err, path }, 'a file beside the record lags behind; an opening writes it anew');
    });

  async function flush(): Promise<void> {
    if (waiting.length > 0) await logged(files.append(path, Buffer.from(takeWaiting()), { sync: false }));
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
      await logged(replaceIfOther(path, text));
    },
    flush,
  };
}

/** Replaces a file that says something else, without waiting for the disk. */
export async function replaceIfOther(path: string, text: string): Promise<void> {
  const found = await readFileIfThere(path).catch(() => null);
  if (found !== text) await replaceFile(path, text, { sync: false });
}
