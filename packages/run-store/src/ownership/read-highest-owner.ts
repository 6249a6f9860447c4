import { join } from 'node:path';
import { listEntries } from '../disk/files.ts';
import { readLastLines } from '../disk/lines.ts';
import { type RunPlaces, toJournalFiles } from '../places.ts';

/**
 * Reads from the records of all runs the highest number of an owner that wrote there; 0 when none says one. Asked when the
 * file that counts owners is gone or damaged: no later owner may have a number that was given before.
 */
export async function readHighestOwner({ running, paused, completed }: RunPlaces): Promise<number> {
  let highest = 0;
  for (const parent of [running, paused, completed]) {
    for (const name of await listEntries(parent)) {
      const { messages } = toJournalFiles(join(parent, name));
      const [line = ''] = await readLastLines(messages, 1).catch(() => []);
      highest = Math.max(highest, toOwner(line));
    }
  }
  return highest;
}

function toOwner(line: string): number {
  try {
    const { owner } = JSON.parse(line) as { readonly owner?: unknown };
    return typeof owner === 'number' && Number.isSafeInteger(owner) ? owner : 0;
  } catch {
    return 0;
  }
}
