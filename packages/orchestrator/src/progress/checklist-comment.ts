import { z } from 'zod';
import type { Run } from '../run/run.ts';
import { type ProgressingRun, progressTopic } from './run-progress.ts';
import { checklistTopic } from './seed-comments.ts';

const stateName = 'checklist_comment.json';
const schema = z.object({ id: z.string() });

/** Creates what keeps the id of the comment that shows the checklist of a run's plan. A failure is logged. */
export function createKeepChecklistId({
  state,
  logger,
}: Pick<Run, 'state' | 'logger'>): NonNullable<ProgressingRun['onShown']> {
  let last: string | null = null;
  return async ({ topic, id }) => {
    if (id === last || (topic !== progressTopic && topic !== checklistTopic)) return;
    try {
      await state.write(stateName, { id }, { sync: false });
      last = id;
    } catch (error) {
      logger.warn({ err: error }, 'failed to save id of checklist comment');
    }
  };
}

/** Reads the id; null while no comment shows the plan. */
export async function readChecklistId(state: Pick<Run['state'], 'read'>): Promise<string | null> {
  return schema.nullable().parse(await state.read(stateName))?.id ?? null;
}
