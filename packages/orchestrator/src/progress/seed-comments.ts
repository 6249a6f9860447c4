import {
  formatChecklist,
  formatLoopModeNotice,
  formatReplanNotice,
  formatVerificationNotice,
  type PlanningState,
} from '@agent/runner/planning';
import { createToLine } from '@agent/text';
import type { PlanTelling } from './format-plan-sections.ts';
import type { ProgressView } from './format-progress.ts';
import type { ShownComment } from './run-progress.ts';
import { progressTexts } from './texts.ts';

/**
 * Lists the single comments that the seeds have of a plan: the checklist, which is edited, and one for each decision and each round
 * of verification. @see seed 002 §13, referenced specifications, REPLANNING and VERIFICATION
 */
export function listSeedComments(
  { plan }: Pick<ProgressView, 'plan'>,
  options: PlanTelling,
): readonly ShownComment[] {
  if (plan === null) return [];
  return [{ topic: 'plan', body: formatChecklist(plan, options) }, ...listNotices(plan, options)].filter(
    ({ body }) => body !== '',
  );
}

function listNotices(plan: PlanningState, options: PlanTelling): readonly ShownComment[] {
  const { droppedRevision } = progressTexts[options.locale];
  const toLine = createToLine(options.redactOutgoing);
  return plan.facts.flatMap((fact, index): ShownComment[] => {
    const topic = `plan:${index}`;
    if (fact.type === 'loop_mode') return [{ topic, body: formatLoopModeNotice(fact, options) }];
    if (fact.type === 'verification') return [{ topic, body: formatVerificationNotice(fact, options) }];
    if (fact.type === 'replan_decision' && fact.llm_decision.replan_needed)
      return [{ topic, body: formatReplanNotice(fact, { ...options, at: null }) }];
    if (fact.type === 'revision_dropped')
      return [{ topic, body: droppedRevision(toLine(fact.reasons.join('; '))) }];
    return [];
  });
}
