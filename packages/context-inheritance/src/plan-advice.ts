import type { TokenCounter } from '@agent/text';
import { listSuccesses } from './format-planning-blocks.ts';
import { fenceText } from './format-values.ts';
import type { ActionRecord, InheritanceContext, PlannedSubtask, PlanRecord, ToolUse } from './model.ts';
import type { PlanningRules } from './to-plan-record.ts';

/** Lessons of earlier runs for the phases of a plan, as English text for the model; '' where there are none. @see seed 002 §13.4–§13.6 */
export interface PlanAdvice {
  readonly forPlan: () => string;
  /** Gives the results of similar actions, the use of the tool, and past errors with what helped. @see seed 002 §13.5.1 */
  readonly forAction: (action: { readonly tool: string; readonly purpose: string }) => string;
  readonly forReflection: () => string;
  readonly forVerification: () => string;
}

/** Options of the advice. */
export interface PlanAdviceOptions {
  readonly rules: PlanningRules;
  /** Limit for what each phase is told, introduction and marks aside. */
  readonly maxTokens: number;
  readonly countTokens: TokenCounter;
  /** Marks a text as data that is not to be obeyed. Default: a block of code that the text cannot end. */
  readonly enclose?: ((text: string) => string) | undefined;
}

type Source = Pick<InheritanceContext, 'plans' | 'verification' | 'toolUses'>;

/** Makes the advice of what a run inherits. */
export function createPlanAdvice(
  context: Source,
  { rules, enclose = fenceText, ...budget }: PlanAdviceOptions,
): PlanAdvice {
  const format = (introduction: string, lines: readonly string[]) => {
    const shown = fitLines([...new Set(lines)], budget);
    return shown.length === 0 ? '' : `${introduction}\n${enclose(shown.join('\n'))}`;
  };
  return {
    forPlan: () => format(planIntroduction, listPlanLessons(context)),
    forAction: (action) => format(actionIntroduction, listActionLessons(context, action)),
    forReflection: () =>
      rules.inheritReflections ? format(reflectionIntroduction, listReflectionLessons(context)) : '',
    forVerification: () => format(verificationIntroduction, listVerificationLessons(context)),
  };
}

const planIntroduction = [
  'Lessons of earlier runs on this thread.',
  'Prefer what worked. What failed: avoid it, or plan another way and a fallback. Keep the dependencies that earlier plans needed, and estimate by what things took.',
].join(' ');
const actionIntroduction = 'Earlier runs on this thread, for actions of this kind:';
const reflectionIntroduction =
  'Earlier reflections on this thread: why plans were revised, which problems came back, and what fixed them.';
const verificationIntroduction =
  'Earlier verifications on this thread. Look for the same again, and judge success by the same criteria.';

const mostLines = 40;

/** Keeps the first lines, as many as there is room for; none where there is room for none. */
function fitLines(
  lines: readonly string[],
  { maxTokens, countTokens }: Pick<PlanAdviceOptions, 'maxTokens' | 'countTokens'>,
): readonly string[] {
  const toShown = (count: number) =>
    count === lines.length ? lines : [...lines.slice(0, count), `… ${lines.length - count} more`];
  for (let count = Math.min(lines.length, mostLines); count > 0; count -= 1)
    if (countTokens(toShown(count).join('\n')) <= maxTokens) return toShown(count);
  return [];
}

/** Lists what worked first. @see seed 002 §13.4.2, §13.4.3 */
function listPlanLessons({ plans, toolUses }: Source): readonly string[] {
  return [
    ...plans.flatMap(({ execution }) => listSuccesses(execution)).map((text) => `- Worked: ${text}`),
    ...plans.flatMap(({ execution }) => execution.actions.filter(hasFailed).map(describeFailure)),
    ...plans.flatMap(({ plan }) => plan?.subtasks ?? []).flatMap(describeDependencies),
    ...plans.flatMap(listMisjudged),
    ...(plans.length === 0 ? [] : (toolUses ?? []).filter(failsOften).map(describeUse)),
  ];
}

function hasFailed({ problem, state }: ActionRecord): boolean {
  return state === 'failed' || problem !== null;
}

function describeFailure({ taskId, tool, problem, remedy, state }: ActionRecord): string {
  const helped = state === 'succeeded' ? 'what helped' : 'tried then';
  const name = tool === '' ? taskId : `${taskId} (${tool})`;
  return `- Failed: ${name}: ${problem ?? 'reason unknown'}${remedy === null ? '' : `; ${helped}: ${remedy}`}`;
}

function describeDependencies({ id, description, dependencies }: PlannedSubtask): readonly string[] {
  return dependencies.length === 0
    ? []
    : [`- Order: ${id} (${description}) after ${dependencies.join(', ')}`];
}

const harder: Readonly<Record<string, string>> = { low: 'medium', medium: 'high', high: 'high' };

/** Subtasks that were harder than they seemed: an action of theirs failed, or needed more than one attempt. */
function listMisjudged({ plan, execution }: PlanRecord): readonly string[] {
  return (plan?.subtasks ?? []).flatMap(({ id, description, complexity }) => {
    const action = execution.actions.find(({ taskId }) => taskId === id);
    const estimate = harder[complexity ?? ''];
    if (action === undefined || estimate === undefined) return [];
    if (action.state !== 'failed' && action.attempts < 2) return [];
    const result = action.state === 'failed' ? 'failed' : `took ${action.attempts} attempts`;
    return [
      `- Complexity: ${id} (${description}) was estimated ${complexity} and ${result}: estimate ${estimate}`,
    ];
  });
}

function failsOften({ calls, failures }: ToolUse): boolean {
  return 2 * countFailures(failures) >= calls;
}

function countFailures(failures: ToolUse['failures']): number {
  return failures.reduce((sum, [, count]) => sum + count, 0);
}

function describeUse({ tool, calls, failures }: ToolUse): string {
  const kinds = failures.map(([kind, count]) => (count === 1 ? kind : `${kind} × ${count}`));
  const failed = kinds.length === 0 ? '' : ` (${kinds.join(', ')})`;
  return `- Tool: ${tool} was called ${calls} time(s), ${countFailures(failures)} of them failed${failed}`;
}

const mostSimilar = 5;
/** Share of pairs of letters that the purposes of similar actions with different tools have in common. */
const leastAlike = 0.6;

function listActionLessons(
  { plans, toolUses }: Source,
  { tool, purpose }: { readonly tool: string; readonly purpose: string },
): readonly string[] {
  if (plans.length === 0) return [];
  const rated = plans.flatMap(({ execution }) =>
    execution.actions.map((action) => ({ action, likeness: rateLikeness(action.purpose, purpose) })),
  );
  const similar = rated.filter(({ action, likeness }) => action.tool === tool || likeness >= leastAlike);
  const closest = similar.toSorted((one, other) => other.likeness - one.likeness).slice(0, mostSimilar);
  const uses = (toolUses ?? []).filter((use) => use.tool === tool);
  return [...closest.map(({ action }) => describeResult(action)), ...uses.map(describeUse)];
}

function describeResult(action: ActionRecord): string {
  const { taskId, tool, purpose, state } = action;
  if (hasFailed(action)) return describeFailure(action);
  const name = [tool, purpose].filter(Boolean).join(': ');
  return `- ${name === '' ? taskId : name}: ${state === 'succeeded' ? 'worked' : 'done in part'}`;
}

/** Rates from 0 to 1 how alike two texts are, in any script: by the pairs of letters that they share. */
function rateLikeness(one: string, other: string): number {
  const [first, second] = [toPairs(one), toPairs(other)];
  if (first.size + second.size === 0) return 0;
  const shared = [...first].filter((pair) => second.has(pair)).length;
  return (2 * shared) / (first.size + second.size);
}

function toPairs(text: string): Set<string> {
  const letters = [...text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')];
  return new Set(letters.slice(1).map((letter, index) => `${letters[index]}${letter}`));
}

/** @see seed 002 §13.5.2 */
function listReflectionLessons({ plans }: Source): readonly string[] {
  const seen = plans.flatMap(({ learnings }) => learnings);
  const problems = [...Map.groupBy(seen, (text) => text)].toSorted(
    ([, one], [, other]) => other.length - one.length,
  );
  const fixes = plans.flatMap(({ execution, verification }) =>
    execution.actions.filter(
      ({ state, remedy }) => remedy !== null && (state === 'succeeded' || verification?.passed === true),
    ),
  );
  return [
    ...plans.flatMap(({ plan }) => plan?.revisionReasons ?? []).map((text) => `- Plan revised: ${text}`),
    ...plans.flatMap(({ plan }) => plan?.replanReasons ?? []).map((text) => `- Replanned: ${text}`),
    ...problems.map(([text, all]) => `- Problem${all.length > 1 ? ` (in ${all.length} runs)` : ''}: ${text}`),
    ...fixes.map(({ problem, remedy }) => `- Fixed: ${problem ?? ''}: ${remedy}`),
  ];
}

/** @see seed 002 §13.6.1 */
function listVerificationLessons({ plans, verification }: Source): readonly string[] {
  if (verification === null) return [];
  const { rounds, issues, resolved, placeholders, additionalWork } = verification;
  const gone = new Set(resolved);
  const open = verification.passed === true ? [] : issues.filter((issue) => !gone.has(issue));
  return [
    ...open.map((issue) => `- Still open: ${issue}`),
    ...placeholders.map((place) => `- Placeholder found: ${place}`),
    ...additionalWork.map((work) => `- Work that had to be added: ${work}`),
    ...plans.flatMap(listCriteria),
    ...resolved.map((issue) => `- Resolved: ${issue}`),
    `- Rounds so far: ${rounds}`,
  ];
}

function listCriteria({ plan, verification }: PlanRecord): readonly string[] {
  if (verification === null || verification.passed === null) return [];
  const judged = verification.passed ? 'met' : 'not all met';
  return (plan?.successCriteria ?? []).map((criterion) => `- Criterion (${judged}): ${criterion}`);
}
