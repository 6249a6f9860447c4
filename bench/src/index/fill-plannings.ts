import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFileTaskIndex } from '@agent/run-store/file';
import { sampleRun, toUuid } from './sample-run.ts';

export interface FilledPlannings {
  /** How many runs there are of all tasks. */
  readonly runs: number;
  /** How many of them belong to the one task that is asked for: task 0, issue "0". */
  readonly ofTask: number;
}

export const entriesOfARun = 5;

/** Runs with their plans: the first ones of task 0, which the index knows, the others of a task each. */
export async function fillPlannings(baseDirectory: string, { runs, ofTask }: FilledPlannings): Promise<void> {
  for (let number = 0; number < runs; number += 1) {
    const uuid = toUuid(number);
    const planning = join(baseDirectory, 'completed', uuid, 'planning');
    mkdirSync(planning, { recursive: true });
    const issue = number < ofTask ? '0' : String(number);
    writeFileSync(join(planning, `${uuid}.jsonl`), formatPlanning(issue, uuid));
  }
  const index = createFileTaskIndex({ baseDirectory });
  const { uuid: _, ...task } = sampleRun(0);
  for (let number = 0; number < ofTask; number += 1) await index.put({ ...task, uuid: toUuid(number) });
}

function formatPlanning(issue: string, uuid: string): string {
  const lines = Array.from({ length: entriesOfARun }, (_, number) => {
    const place = { timestamp: `2026-03-01T12:00:0${number}.000Z`, issue_id: issue, task_uuid: uuid };
    const evaluation = {
      reflection: { status: 'success', evaluation: 'The quantity is counted; one test is missing.' },
    };
    if (number > 0) return JSON.stringify({ type: 'reflection', evaluation, ...place });
    const plan = { phase: 'planning', goal_understanding: { main_objective: 'count quantities' } };
    return JSON.stringify({ type: 'plan', plan, ...place });
  });
  return `${lines.join('\n')}\n`;
}
