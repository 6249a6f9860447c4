import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DetailStore } from '@agent/pre-planning';
import { z } from 'zod';
import type { RunLogger } from '../ports.ts';
import { replaceFile } from '../replace-file.ts';
import type { KnownComment } from './known-comments.ts';
import { knownCommentSchema, toKnownCommentJson } from './known-comments-file.ts';
import { noCost, type PrePlanningCost, prePlanningCostSchema, toCostJson } from './pre-planning-cost.ts';

const keptSchema = z.object({
  known_comments: z.array(knownCommentSchema),
  cost: prePlanningCostSchema,
  state: z.unknown(),
});

/** How far a run came with getting ready. */
export interface KeptPrePlanning {
  /** The comments that were taken in. */
  readonly knownComments: readonly KnownComment[];
  /** Until the conversation is opened, whose first line says it from then on. */
  readonly cost: PrePlanningCost;
  /** As the library keeps it. */
  readonly state: unknown;
}

export interface PrePlanningFiles {
  /** What an earlier process kept; null when there is nothing, or nothing that can be read. */
  readonly read: () => Promise<KeptPrePlanning | null>;
  /** Resolves when it is on disk; one after the other, in the order of the calls. */
  readonly save: (kept: KeptPrePlanning) => Promise<void>;
  /** `planning/pre_planning/{id}.json`, with a mark where an id has capitals. @see decision E15 */
  readonly details: DetailStore;
}

/** `pre_planning_state.json` in the directory of a run, and the long details beside it. @see seed 004 §12.1 */
export function createPrePlanningFiles(directory: string, logger: Pick<RunLogger, 'warn'>): PrePlanningFiles {
  const path = join(directory, 'pre_planning_state.json');
  let saved: Promise<void> = Promise.resolve();
  return {
    read: async () => {
      try {
        const kept = keptSchema.parse(JSON.parse(await readFile(path, 'utf8')));
        return { knownComments: kept.known_comments, cost: kept.cost, state: kept.state };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
          logger.warn({ err: error }, 'how far the run had got ready cannot be read; it begins anew');
        return null;
      }
    },
    save: ({ knownComments, cost, state }) => {
      const content = {
        known_comments: knownComments.map(toKnownCommentJson),
        cost: toCostJson(cost),
        state,
      };
      const save = saved.then(() => write(path, content));
      saved = save.catch(() => undefined);
      return save;
    },
    details: {
      save: async (infoId, details) => {
        const folder = join(directory, 'planning', 'pre_planning');
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await write(join(folder, nameDetails(infoId)), { info_id: infoId, details });
      },
    },
  };
}

/** What getting ready has cost a run whose conversation is not opened yet. */
export async function readPrePlanningCost(directory: string, logger: RunLogger): Promise<PrePlanningCost> {
  return (await createPrePlanningFiles(directory, logger).read())?.cost ?? noCost;
}

function write(path: string, content: object): Promise<void> {
  return replaceFile(path, `${JSON.stringify(content)}\n`);
}

/** Where case makes no difference, ids that differ in nothing else are still two files: `~` is in no id. */
function nameDetails(infoId: string): string {
  if (infoId === infoId.toLowerCase()) return `${infoId}.json`;
  return `${infoId}~${createHash('sha256').update(infoId).digest('hex').slice(0, 8)}.json`;
}
