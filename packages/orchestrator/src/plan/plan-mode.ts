import type { RunJournal, RunState } from '@agent/run-store';
import { type PlanningState, planningFactName, readPlanningState } from '@agent/runner/planning';
import type { ModelMessage } from 'ai';
import { z } from 'zod';
import type { RunLogger } from '../host/ports.ts';

const stateName = 'plan_mode.json';
const schema = z.object({ planned: z.boolean() });

/** A run, as far as its plan is read. */
export interface PlannedOnDisk {
  readonly state: Pick<RunState, 'read'>;
  readonly journal: Pick<RunJournal<ModelMessage>, 'read'>;
}

/**
 * Decides once for each run whether it plans: what its conversation began as it stays, whatever the configuration says when it
 * is resumed.
 */
export async function choosePlanMode(
  { state, journal }: PlannedOnDisk & { readonly state: RunState },
  { wanted }: { readonly wanted: boolean },
): Promise<boolean> {
  const kept = await readMode(state);
  if (kept !== null) return kept;
  if (!wanted || (await hasMessages(journal))) return false;
  await state.write(stateName, { planned: true });
  return true;
}

/** Tells whether a run plans; false before `choosePlanMode` decided it. */
export async function isPlanned(state: PlannedOnDisk['state']): Promise<boolean> {
  return (await readMode(state)) === true;
}

/** Reads the plan of a run as its record tells it; null for a run in loop mode. */
export async function readRunPlan({ state, journal }: PlannedOnDisk): Promise<PlanningState | null> {
  if (!(await isPlanned(state))) return null;
  const lines: unknown[] = [];
  for await (const entry of journal.read({ facts: [planningFactName] }))
    if (entry.type === 'fact' && entry.name === planningFactName) lines.push(entry.data);
  return readPlanningState(lines);
}

/** The plan that people are told of; null where the run goes on without one, or it cannot be read. */
export async function readShownPlan(
  run: PlannedOnDisk & { readonly logger: RunLogger },
): Promise<PlanningState | null> {
  try {
    const plan = await readRunPlan(run);
    return plan?.loopMode === null ? plan : null;
  } catch (error) {
    run.logger.error({ err: error }, 'failed to read plan; omitting it from report');
    return null;
  }
}

async function readMode(state: PlannedOnDisk['state']): Promise<boolean | null> {
  const value = await state.read(stateName);
  return value === null ? null : schema.parse(value).planned;
}

async function hasMessages(journal: PlannedOnDisk['journal']): Promise<boolean> {
  for await (const entry of journal.read({ facts: [] })) if (entry.type === 'message') return true;
  return false;
}
