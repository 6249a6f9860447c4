import { join } from 'node:path';
import type { Logger } from '@agent/text';
import { translated } from '../file/run-errors.ts';
import { type RunPlaces, type RunPlacesOptions, toRunPlaces } from '../file/run-places.ts';
import type { TaskIndex, TaskReference } from '../index/indexed-run.ts';
import type { PlanningEntry } from './planning-entry.ts';
import { readPlanningFile, toPlanningPath } from './planning-file.ts';

/** Options of the look at a task's earlier plannings. */
export interface PastExecutionsOptions extends RunPlacesOptions {
  readonly index: Pick<TaskIndex, 'find'>;
  /** Silent by default. */
  readonly logger?: Logger | null | undefined;
}

/**
 * What the runs of one task that ended planned and did, oldest first. Found through the index, by the task's key and
 * host: another repository's issue of the same number is another task, and no other run's file is opened.
 * @see decision C15
 */
export async function readPastExecutions(
  task: TaskReference,
  options: PastExecutionsOptions,
): Promise<readonly PlanningEntry[]> {
  const places = toRunPlaces(options);
  const runs = await options.index.find(task);
  const read = runs.map(({ uuid }) => readOne(uuid, { places, logger: options.logger ?? null }));
  const entries = await translated(Promise.all(read), `read the plans of task ${task.taskKeyHash}`);
  // Times are read once each, not at every comparison.
  const dated = entries.flat().map((entry) => ({ entry, moment: toMoment(entry) }));
  return dated.sort((one, other) => one.moment - other.moment).map(({ entry }) => entry);
}

/** A run that ended lies in `completed/`, or still in `running/` after a crash. */
async function readOne(
  uuid: string,
  { places, logger }: { readonly places: RunPlaces; readonly logger: Logger | null },
): Promise<readonly PlanningEntry[]> {
  const completed = await readPlanningFile(toPlanningPath(join(places.completed, uuid), uuid), logger);
  if (completed.length > 0) return completed;
  return readPlanningFile(toPlanningPath(join(places.running, uuid), uuid), logger);
}

function toMoment({ timestamp }: PlanningEntry): number {
  const moment = Date.parse(timestamp);
  return Number.isNaN(moment) ? 0 : moment;
}
