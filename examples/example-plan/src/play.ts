import type { PlannedTaskResult, PlanningEvent } from '@agent/runner/planning';
import { playModel } from './play-model.ts';
import { type Files, writePage } from './write-page.ts';

/** Files and result of the play. */
export interface Played {
  readonly files: Files;
  readonly result: PlannedTaskResult;
}

/** Plays it. Shows each event of the plan as a line, then the outcome. */
export async function play(show: (line: string) => void): Promise<Played> {
  const files: Files = new Map();
  const onEvent = (event: PlanningEvent) => show(toLine(event));
  const result = await writePage(files, { model: playModel(), onEvent });
  if (result.kind === 'ended') show(`Outcome: ${result.outcome.status}. ${result.outcome.finalText}`);
  return { files, result };
}

function toLine(event: PlanningEvent): string {
  switch (event.type) {
    case 'plan':
      return ['Plan:', ...event.plan.action_plan.actions.map(toStep)].join('\n');
    case 'action':
      return `  ${toAttempt(event)}`;
    case 'revision':
      return `  Revision ${event.number}, because of the ${event.cause}: ${event.reason.replaceAll('\n', ' ')}`;
    case 'verification':
      return `  Verification ${event.round} ${event.result.verification_passed ? 'passed' : 'failed'}`;
    case 'phase':
      return `Phase: ${event.phase}`;
    default:
      return `  ${event.type}`;
  }
}

function toStep({ task_id: id, purpose }: { readonly task_id: string; readonly purpose: string }): string {
  return `  ${id}: ${purpose}`;
}

function toAttempt(event: Extract<PlanningEvent, { readonly type: 'action' }>): string {
  const { taskId, action, attempt, detail } = event;
  const again = attempt > 1 ? ` (attempt ${attempt})` : '';
  return `${taskId} ${action}${again}${detail === '' ? '' : `: ${detail}`}`;
}
