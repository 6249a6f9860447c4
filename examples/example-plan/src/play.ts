import type { PlannedTaskResult, PlanningEvent } from '@agent/runner/planning';
import { playModel } from './play-model.ts';
import { type Files, writePage } from './write-page.ts';

/** What the play left behind. */
export interface Played {
  readonly files: Files;
  readonly result: PlannedTaskResult;
}

/** Plays it, with a line for each thing that becomes of the plan. */
export async function play(show: (line: string) => void): Promise<Played> {
  const files: Files = new Map();
  const onEvent = (event: PlanningEvent) => show(toLine(event));
  const result = await writePage(files, { model: playModel(), onEvent });
  if (result.kind === 'ended') show(`${result.outcome.status}: ${result.outcome.finalText}`);
  return { files, result };
}

function toLine(event: PlanningEvent): string {
  switch (event.type) {
    case 'plan':
      return `plan: ${event.plan.action_plan.execution_order.join(', ')}`;
    case 'action':
      return `${event.taskId} ${event.action} (attempt ${event.attempt}) ${event.detail}`.trim();
    case 'revision':
      return `revision ${event.number} (${event.cause}): ${event.reason}`;
    case 'verification':
      return `verification ${event.round}: ${event.result.verification_passed ? 'passed' : 'not passed'}`;
    case 'phase':
      return `= ${event.phase}`;
    default:
      return event.type;
  }
}
