import { formatTime } from '@agent/text';
import { fenceText, fenceValue, shortenUuid, toPercent } from './format-values.ts';
import type { InheritanceContext, PlanRecord, VerificationHistory } from './model.ts';
import type { PlanningRules } from './to-plan-record.ts';

/** Parts of the planning history that stand in the English blocks. */
interface PlanningBlockOptions {
  readonly rules: PlanningRules;
  readonly timeZone: string;
  /** Names subtasks, failures and issues one by one, not only their numbers. */
  readonly hasPlanDetails: boolean;
}

/** The block for the phase in which the goal is understood; null when there is no planning history. @see seed 002 §13.4.1 */
export function formatGoalBlock(context: InheritanceContext, options: PlanningBlockOptions): string | null {
  const { plans, processingCount } = context;
  if (plans.length === 0) return null;
  const { rules } = options;
  const isAny = rules.inheritReflections || rules.reuseSuccessfulPatterns || rules.inheritPlans;
  const sections = [
    `### Previous Processing Count\n${processingCount} time(s)`,
    ...(rules.inheritPlans
      ? [
          `### Previous Plans\n${formatAll(plans, (record) => formatPlan(record, options))}`,
          `### Previous Execution Results\n${formatAll(plans, (record) => formatExecution(record, options))}`,
        ]
      : []),
    ...(rules.inheritVerifications
      ? [
          `### Previous Verification Results\n${formatAll(plans, (record) => formatVerification(record, options))}`,
        ]
      : []),
    ...(isAny ? [`### Key Learnings from Previous Processing\n${formatAll(plans, formatLearnings)}`] : []),
  ];
  return [
    '## Previous Planning Context',
    'This Issue/MR/PR has been processed before. Below is the context from previous processing:',
    ...sections,
    '---\nConsider the above context when understanding the current goal.',
  ].join('\n\n');
}

function formatAll(plans: readonly PlanRecord[], format: (record: PlanRecord) => readonly string[]): string {
  const lines = plans.flatMap(format);
  return lines.length === 0 ? 'None' : fenceText(lines.join('\n'));
}

function formatPlan({ plan, ...record }: PlanRecord, options: PlanningBlockOptions): readonly string[] {
  if (plan === null) return [];
  const time = formatTime(record.completedAt, options.timeZone);
  const percent = toPercent(plan.executedCount, plan.actionCount);
  const head = `- #${shortenUuid(record.runUuid)} (${time}, ${record.status}): ${plan.goal}; ${plan.subtasks.length} subtask(s), ${percent}% complete`;
  if (!options.hasPlanDetails) return [head];
  const criteria = plan.successCriteria.map((criterion) => `  - Success criterion: ${criterion}`);
  return [head, ...listSubtasks(plan).map((subtask) => `  - ${subtask}`), ...criteria];
}

/** Subtasks that are named one by one. */
export const mostSubtasks = 10;

/** Names the subtasks of a plan, each with what it depends on and how hard it seemed. */
function listSubtasks({ subtasks }: NonNullable<PlanRecord['plan']>): readonly string[] {
  const named = subtasks.slice(0, mostSubtasks).map(({ id, description, dependencies, complexity }) => {
    const facts = [...(dependencies.length === 0 ? [] : [`after ${dependencies.join(', ')}`]), complexity];
    const known = facts.filter((fact) => fact !== null).join('; ');
    return `${[id, description].filter(Boolean).join(': ')}${known === '' ? '' : ` (${known})`}`;
  });
  const more = subtasks.length - named.length;
  return more > 0 ? [...named, `… ${more} more`] : named;
}

/** Names the actions that ended badly, and why. */
export function listFailures({ actions }: PlanRecord['execution']): readonly string[] {
  const failed = actions.filter(({ state }) => state === 'failed');
  return failed.map(({ taskId, problem }) => `${taskId}: ${problem ?? ''}`).slice(-mostSubtasks);
}

/** Names what worked, by the tool and its purpose. */
export function listSuccesses({ actions }: PlanRecord['execution']): readonly string[] {
  const worked = actions.filter(({ state }) => state === 'succeeded');
  const named = worked.map(({ tool, purpose }) => [tool, purpose].filter(Boolean).join(': '));
  return [...new Set(named)].filter((text) => text !== '').slice(-mostSubtasks);
}

function formatExecution({ runUuid, plan, execution }: PlanRecord, options: PlanningBlockOptions) {
  if (plan === null) return [];
  const head = `- #${shortenUuid(runUuid)}: ${execution.succeeded} succeeded, ${execution.failed} failed`;
  return options.hasPlanDetails
    ? [head, ...listFailures(execution).map((failure) => `  - ${failure}`)]
    : [head];
}

function formatVerification({ runUuid, verification }: PlanRecord, options: PlanningBlockOptions) {
  if (verification === null) return [];
  const { rounds, passed, issues, resolved, confidence } = verification;
  const state = passed === null ? 'unknown' : passed ? 'passed' : 'not passed';
  const head = `- #${shortenUuid(runUuid)}: ${rounds} round(s), ${state}, ${issues.length} issue(s) found, ${resolved.length} resolved${confidence === null ? '' : `, confidence ${confidence}`}`;
  return options.hasPlanDetails ? [head, ...listFindings(verification)] : [head];
}

function listFindings({ issues, placeholders, additionalWork }: VerificationHistory): readonly string[] {
  return [
    ...issues.map((issue) => `  - ${issue}`),
    ...placeholders.map((place) => `  - Placeholder: ${place}`),
    ...additionalWork.map((work) => `  - Work that was added: ${work}`),
  ];
}

function formatLearnings({ plan, execution, learnings }: PlanRecord): readonly string[] {
  return [
    ...listSuccesses(execution).map((success) => `- Worked: ${success}`),
    ...learnings.map((learning) => `- ${learning}`),
    ...(plan?.revisionReasons ?? []).map((reason) => `- Plan revised: ${reason}`),
    ...(plan?.replanReasons ?? []).map((reason) => `- Replanned: ${reason}`),
  ];
}

const mostInOverview = 3;

/** The block for the system prompt of planning mode, about the newest plan; null when there is none. @see seed 002 §13.8 */
export function formatPlanningBlock(
  context: InheritanceContext,
  options: PlanningBlockOptions,
): string | null {
  const { plans, verification } = context;
  if (plans.length === 0) return null;
  const record = plans.find(({ plan }) => plan !== null) ?? plans[0];
  if (record === undefined) return null;
  const { rules } = options;
  const sections = [
    ...(rules.inheritPlans ? [formatPlanSummary(record), formatExecutionHistory(record, options)] : []),
    ...(rules.inheritVerifications ? [formatVerificationHistory(verification, options)] : []),
    `### Recommendations for Current Processing\nBased on previous processing:\n${formatRecommendations({ ...record, verification }, options)}`,
  ];
  return [
    '## Previous Planning History',
    ...sections,
    '---\nUse the above planning history to inform your current planning decisions.',
  ].join('\n\n');
}

function formatPlanSummary({ plan }: PlanRecord): string {
  const percent = toPercent(plan?.executedCount ?? 0, plan?.actionCount ?? 0);
  return [
    '### Previous Plan Summary',
    `**Goal**: ${plan === null || plan.goal === '' ? 'None' : fenceValue(plan.goal)}`,
    `**Subtasks**: ${plan?.subtasks.length ?? 0} tasks planned`,
    `**Completion Status**: ${percent}%`,
  ].join('\n');
}

function formatExecutionHistory({ execution }: PlanRecord, options: PlanningBlockOptions): string {
  return [
    '### Execution History',
    `**Successful Actions**: ${execution.succeeded}`,
    `**Failed Actions**: ${execution.failed}`,
    `**Key Failures**: ${formatValues(listFailures(execution), options)}`,
  ].join('\n');
}

function formatVerificationHistory(
  verification: VerificationHistory | null,
  options: PlanningBlockOptions,
): string {
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

/** Tells the new run what failed, what is open and what worked. @see seed 002 §13.4.2 */
function formatRecommendations(record: PlanRecord, { hasPlanDetails }: PlanningBlockOptions): string {
  const { execution, verification, learnings } = record;
  const resolved = new Set(verification?.resolved);
  // The issues of a round that passed are no reason for work either.
  const open = verification?.passed === true ? [] : (verification?.issues ?? []);
  const lines = [
    ...listFailures(execution).map((failure) => `- Look for another way: ${failure}`),
    ...open.filter((issue) => !resolved.has(issue)).map((issue) => `- Still open: ${issue}`),
    ...(verification?.placeholders ?? []).map((place) => `- A placeholder was found: ${place}`),
    ...listSuccesses(execution).map((success) => `- Worked before: ${success}`),
    ...learnings.map((learning) => `- Learned: ${learning}`),
  ];
  const shown = hasPlanDetails ? lines : lines.slice(0, mostInOverview);
  return shown.length === 0 ? 'None' : fenceText(shown.join('\n'));
}
