import type { PlanRules } from './check-plan.ts';
import type { PlannedRun } from './planned-run.ts';
import { inOrder, type PlanningState } from './planning-state.ts';
import { joinParagraphs, type ToldAction } from './prompts/parts.ts';

/** The actions of the plan with their standing, in their order. */
export function toToldActions({ plan, tasks }: PlanningState): readonly ToldAction[] {
  if (plan === null) return [];
  return inOrder(plan).map(({ task_id, purpose }) => ({
    task_id,
    purpose,
    state: tasks.get(task_id)?.state ?? 'waiting',
  }));
}

/** Asks for an answer again, with what was wrong with the last one. */
export function formatUnreadRequest(reasons: readonly string[]): string {
  return joinParagraphs([
    'This answer cannot be used:',
    reasons.map((reason) => `- ${reason}`).join('\n'),
    'Answer again, with the one JSON object that was asked for and nothing else.',
  ]);
}

/** Rules that a plan of the run is checked by. */
export function toPlanRules({
  run,
  settings,
}: Pick<PlannedRun, 'run' | 'settings'>): PlanRules & { readonly tools: readonly string[] } {
  return { tools: Object.keys(run.calls.tools), maxSubtasks: settings.max_subtasks };
}
