import { stat, writeFile } from 'node:fs/promises';
import type { Logger } from '@agent/text';
import { dropTornLine } from '../disk/drop-torn-line.ts';
import { privateFile } from '../disk/private-modes.ts';
import { readLastLines } from '../disk/read-last-lines.ts';
import { replaceFile } from '../disk/replace-file.ts';
import { toRecentLine } from './recent-run-line.ts';
import { readMetadata, readOutcome } from './run-directory.ts';

const maxBytes = 1024 * 1024;
/** Runs that end at the same time, and are cut short by the same crash, are never more than these. */
const checkedLines = 200;

/** `recent.jsonl`: one line for each run that ended, the latest last. Only for people to look at. */
export interface RecentRuns {
  /**
   * Adds the run in this directory, unless one of the last lines is its own already. A line that cannot be written
   * is logged: it must not keep the run from ending.
   */
  readonly add: (directory: string) => Promise<void>;
}

export function createRecentRuns(path: string, logger: Logger | null): RecentRuns {
  let tail: Promise<void> = Promise.resolve();
  async function add(directory: string): Promise<void> {
    const metadata = await readMetadata(directory);
    const line = toRecentLine(metadata, await readOutcome(directory));
    await writeFile(path, '', { flag: 'a', mode: privateFile });
    await dropTornLine(path);
    const lines = await readLastLines(path, checkedLines);
    if (lines.some((text) => text.includes(`"${metadata.uuid}"`))) return;
    await writeFile(path, `${JSON.stringify(line)}\n`, { flag: 'a', mode: privateFile });
    await shorten(path);
  }
  return {
    add: (directory) => {
      // One after the other: each looks at the file's end, and may cut it.
      tail = tail
        .then(() => add(directory))
        .catch((err: unknown) => logger?.warn({ err, path }, 'a run is missing in the list of recent runs'));
      return tail;
    },
  };
}

/** Keeps the list from growing for ever: the newer half stays. */
async function shorten(path: string): Promise<void> {
  const { size } = await stat(path);
  if (size <= maxBytes) return;
  const lines = await readLastLines(path, Number.POSITIVE_INFINITY);
  const kept = lines.slice(Math.floor(lines.length / 2));
  await replaceFile(path, kept.map((line) => `${line}\n`).join(''), { sync: false });
}
