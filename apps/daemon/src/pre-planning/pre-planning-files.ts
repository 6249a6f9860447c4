import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { DetailStore } from '@agent/pre-planning';
import { z } from 'zod';
import type { DaemonLogger } from '../log/logger.ts';

const keptSchema = z.object({ known_comments: z.array(z.string()), state: z.unknown() });

/** How far a run came with getting ready. */
export interface KeptPrePlanning {
  /** Ids of the comments that were taken in. */
  readonly knownComments: readonly string[];
  /** As the library keeps it. */
  readonly state: unknown;
}

export interface PrePlanningFiles {
  /** What an earlier process kept; null when there is nothing, or nothing that can be read. */
  readonly read: () => Promise<KeptPrePlanning | null>;
  /** Resolves when it is on disk. */
  readonly save: (kept: KeptPrePlanning) => Promise<void>;
  /** `planning/pre_planning/{id}.json`. @see decision E15 */
  readonly details: DetailStore;
}

/** `pre_planning_state.json` in the directory of a run, and the long details beside it. @see seed 004 §12.1 */
export function createPrePlanningFiles(directory: string, logger: DaemonLogger): PrePlanningFiles {
  const path = join(directory, 'pre_planning_state.json');
  return {
    read: async () => {
      try {
        const { known_comments: knownComments, state } = keptSchema.parse(
          JSON.parse(await readFile(path, 'utf8')),
        );
        return { knownComments, state };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
          logger.warn({ err: error }, 'how far the run had got ready cannot be read; it begins anew');
        return null;
      }
    },
    save: ({ knownComments, state }) => write(path, { known_comments: knownComments, state }),
    details: {
      save: async (infoId, details) => {
        const folder = join(directory, 'planning', 'pre_planning');
        await mkdir(folder, { recursive: true });
        await write(join(folder, `${infoId}.json`), { info_id: infoId, details });
      },
    },
  };
}

async function write(path: string, content: object): Promise<void> {
  const handle = await open(`${path}.tmp`, 'w');
  try {
    await handle.writeFile(`${JSON.stringify(content)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${path}.tmp`, path);
}
