import { fenceText, fenceValue } from './fence.ts';
import type { PlanningBlockOptions } from './format-goal-block.ts';
import type { InheritanceContext, PlanRecord } from './model.ts';
import { toPercent } from './to-percent.ts';

const mostInOverview = 3;

/** The block for the system prompt of planning mode, about the newest plan; null when there is none. @see seed 002 §13.8 */
export function formatPlanningBlock(
  context: InheritanceContext,
  options: PlanningBlockOptions,
): string | null {
  const { plans } = context;
  if (plans.length === 0) return null;
  const record = plans.find(({ plan }) => plan !== null) ?? plans[0];
  if (record === undefined) return null;
  const { rules } = options;
  const sections = [
    ...(rules.inheritPlans ? [formatSummary(record), formatExecution(record, options)] : []),
    ...(rules.inheritVerifications ? [formatVerification(record, options)] : []),
    `### Recommendations for Current Processing\nBased on previous processing:\n${formatRecommendations(record, options)}`,
  ];
  return [
    '## Previous Planning History',
    ...sections,
    '---\nUse the above planning history to inform your current planning decisions.',
  ].join('\n\n');
}

function formatSummary({ plan }: PlanRecord): string {
  const percent = toPercent(plan?.executedCount ?? 0, plan?.actionCount ?? 0);
  return [
    '### Previous Plan Summary',
    `**Goal**: ${plan === null || plan.goal === '' ? 'None' : fenceValue(plan.goal)}`,
    `**Subtasks**: ${plan?.subtasks.length ?? 0} tasks planned`,
    `**Completion Status**: ${percent}%`,
  ].join('\n');
}

function formatExecution({ execution }: PlanRecord, options: PlanningBlockOptions): string {
  return [
    '### Execution History',
    `**Successful Actions**: ${execution.succeeded}`,
    `**Failed Actions**: ${execution.failed}`,
    `**Key Failures**: ${formatValues(execution.failures, options)}`,
  ].join('\n');
}

function formatVerification({ verification }: PlanRecord, options: PlanningBlockOptions): string {
  return [
    '### Verification History',
    `**Verification Rounds**: ${verification?.rounds ?? 0}`,
    `**Issues Found**: ${formatValues(verification?.issues ?? [], options)}`,
    `**Resolved Issues**: ${formatValues(verification?.resolved ?? [], options)}`,
  ].join('\n');
}

function formatValues(values: readonly string[], { hasPlanDetails }: PlanningBlockOptions): string {
  if (values.length === 0) return 'None';
  if (!hasPlanDetails) return String(values.length);
  return fenceValue(values.join('; '));
}

/** What follows for the new run: what failed, what is open, what worked. @see seed 002 §13.4.2 */
function formatRecommendations(record: PlanRecord, { hasPlanDetails }: PlanningBlockOptions): string {
  const { execution, verification, learnings } = record;
  const resolved = new Set(verification?.resolved);
  // The issues of a round that passed are no reason for work either.
  const open = verification?.passed === true ? [] : (verification?.issues ?? []);
  const lines = [
    ...execution.failures.map((failure) => `- Look for another way: ${failure}`),
    ...open.filter((issue) => !resolved.has(issue)).map((issue) => `- Still open: ${issue}`),
    ...execution.successes.map((success) => `- Worked before: ${success}`),
    ...learnings.map((learning) => `- Learned: ${learning}`),
  ];
  const shown = hasPlanDetails ? lines : lines.slice(0, mostInOverview);
  return shown.length === 0 ? 'None' : fenceText(shown.join('\n'));
}
