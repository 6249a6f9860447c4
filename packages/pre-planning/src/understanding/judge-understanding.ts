import type { PrePlanningRequest } from '../pre-planning-request.ts';
import type { RequestUnderstanding } from './understanding.ts';

/** Sure enough, and both the kind of task and its goal are named. @see seed 004 §3.5, decision E2 */
export function isUnderstandingSufficient(understanding: RequestUnderstanding, threshold: number): boolean {
  const { task_type: kind, primary_goal: goal, understanding_confidence: confidence } = understanding;
  return confidence >= threshold && kind !== '' && goal !== '';
}

/** The kind of task where none was understood. */
export const unknownTaskType = 'unknown';

/** What stands for an understanding that the model did not give: the title as the goal. @see seed 004 §11.1 */
export function makeMinimalUnderstanding({ title }: Pick<PrePlanningRequest, 'title'>): RequestUnderstanding {
  return {
    task_type: unknownTaskType,
    primary_goal: title.trim(),
    expected_deliverables: [],
    constraints: [],
    scope: { in_scope: [], out_of_scope: [] },
    understanding_confidence: 0,
    ambiguities: [],
  };
}
