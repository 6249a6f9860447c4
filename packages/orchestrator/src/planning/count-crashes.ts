import type { PrePlanningState } from '@agent/pre-planning';
import { z } from 'zod';
import { readKeptPrePlanning } from '../plan/pre-planning-files.ts';
import type { Run } from '../run/run.ts';

/** Progress of the phase when a crash was met, and the number of crashes before the row that counts now. */
const markSchema = z.object({ progress: z.number(), crashes_before: z.number() });

const markName = 'pre_planning_crashes.json';

/** A run whose last process may have died with it. */
export interface CrashedRun extends Pick<Run, 'state' | 'logger'> {
  readonly crashesInARow: number;
}

/**
 * Counts the processes in a row that died with this run and left it no further: by no step and, before the first, by no answer
 * and no item of pre-planning (RL-10).
 */
export async function countCrashes(run: CrashedRun): Promise<number> {
  const { crashesInARow, state, logger } = run;
  if (crashesInARow === 0) return 0;
  const mark = await readMark(state);
  const newMark = moveMark(mark, { progress: await readProgress(run), crashesInARow });
  if (newMark !== mark)
    await state
      .write(markName, newMark)
      .catch((error: unknown) =>
        logger.warn({ err: error }, 'failed to save pre-planning progress at crash'),
      );
  return crashesInARow - newMark.crashes_before;
}

type Mark = z.infer<typeof markSchema>;

/** The same mark where the last process came no further. */
function moveMark(
  mark: Mark,
  { progress, crashesInARow }: { readonly progress: number; readonly crashesInARow: number },
): Mark {
  // The last crash is the first since then.
  if (progress > mark.progress) return { progress, crashes_before: crashesInARow - 1 };
  // Fewer than there were: a step was completed, and they are counted anew.
  return mark.crashes_before < crashesInARow ? mark : { progress, crashes_before: 0 };
}

/** Grows with each answer and each item that is kept; nothing takes it back. */
async function readProgress({ state: runState, logger }: CrashedRun): Promise<number> {
  const kept = await readKeptPrePlanning(runState, logger);
  if (kept === null) return 0;
  const { readPrePlanningState } = await import('@agent/pre-planning');
  const state = readPrePlanningState(kept.state);
  return state === null ? 0 : measureProgress(state);
}

function measureProgress(state: PrePlanningState): number {
  return (
    Number(state.understanding_result !== null) +
    state.understood_comments +
    Number(state.collection_plan !== null) +
    state.collection_results.length +
    state.assumption_count +
    state.information_gaps.length
  );
}

async function readMark(state: CrashedRun['state']): Promise<Mark> {
  try {
    return markSchema.parse(await state.read(markName));
  } catch {
    // Without it every crash counts, as for a run that does not pre-plan.
    return { progress: 0, crashes_before: 0 };
  }
}
