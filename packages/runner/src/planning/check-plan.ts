import type { Plan } from './model.ts';

/** Rules that code checks a plan by. */
export interface PlanRules {
  /** Names of the tools that the run has. */
  readonly tools: Iterable<string>;
  /** Largest number of subtasks and of actions. */
  readonly maxSubtasks: number;
}

/** More than a plan needs whose actions hold no files. */
const maxPlanChars = 200_000;
const maxNamed = 40;

/**
 * Checks a plan: ids that are unique, one action for each subtask and of a tool that exists, dependencies that exist, in no circle
 * and before what needs them, and sizes. Gives sentences that tell the model what to change, none for a plan that holds.
 */
export function checkPlan(plan: Plan, rules: PlanRules): readonly string[] {
  const sizes = listSizeReasons(plan, rules);
  if (sizes.length > 0) return sizes;
  return [
    ...listEmptyReasons(plan),
    ...listIdReasons(plan),
    ...listToolReasons(plan, new Set(rules.tools)),
    ...listDependencyReasons(plan),
    ...listOrderReasons(plan),
  ];
}

/** Nothing else is looked at in a plan that is too large. */
function listSizeReasons(plan: Plan, { maxSubtasks }: PlanRules): readonly string[] {
  const { action_plan: actions, task_decomposition: parts } = plan;
  const reasons: string[] = [];
  const most = Math.max(actions.actions.length, parts.subtasks.length);
  if (most > maxSubtasks) {
    reasons.push(
      `The plan has ${most} steps or more; at most ${maxSubtasks} are allowed. Join steps that belong together.`,
    );
  }
  if (JSON.stringify(plan).length > maxPlanChars) {
    reasons.push(
      `The plan has more than ${maxPlanChars} characters: keep contents of files out of parameters and shorten its texts.`,
    );
  }
  return reasons;
}

function listEmptyReasons({ action_plan: plan, goal_understanding: goal }: Plan): readonly string[] {
  return [
    ...(plan.actions.length === 0
      ? ['The plan has no action: write at least one into action_plan.actions.']
      : []),
    ...(goal.main_objective === ''
      ? ['goal_understanding.main_objective is empty: say in one sentence what is to be reached.']
      : []),
  ];
}

function listIdReasons({ action_plan: plan, task_decomposition: parts }: Plan): readonly string[] {
  const ids = parts.subtasks.map(({ id }) => id);
  const named = plan.actions.map(({ task_id: id }) => id);
  const known = new Set(ids);
  const acted = new Set(named);
  return [
    ...(ids.includes('') ? ['A subtask has no id: number them task_1, task_2 and so on.'] : []),
    ...(named.includes('') ? ['An action has no task_id: name the subtask that it implements.'] : []),
    ...listRepeated(ids).map((id) => `Several subtasks have the id ${show(id)}: give each its own.`),
    ...listRepeated(named).map(
      (id) => `Several actions have the task_id ${show(id)}: make a subtask of its own for each of them.`,
    ),
    ...[...acted]
      .filter((id) => id !== '' && !known.has(id))
      .map((id) => `The action ${show(id)} belongs to no subtask: add a subtask of this id.`),
    ...[...known]
      .filter((id) => id !== '' && acted.size > 0 && !acted.has(id))
      .map(
        (id) => `The subtask ${show(id)} has no action: add one with this task_id, or leave the subtask out.`,
      ),
  ];
}

function listRepeated(ids: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const id of ids) {
    if (id !== '' && seen.has(id)) repeated.add(id);
    seen.add(id);
  }
  return [...repeated];
}

function listToolReasons({ action_plan: plan }: Plan, tools: ReadonlySet<string>): readonly string[] {
  const unknown = new Set(plan.actions.map(({ tool }) => tool).filter((tool) => !tools.has(tool)));
  if (unknown.size === 0) return [];
  const known = [...tools].slice(0, maxNamed).join(', ');
  const rest = tools.size > maxNamed ? ` and ${tools.size - maxNamed} more` : '';
  return [
    ...[...unknown].map((tool) =>
      tool === ''
        ? 'An action names no tool: name the tool that it calls first.'
        : `There is no tool ${show(tool)}: name an existing tool.`,
    ),
    `The tools: ${known}${rest}.`,
  ];
}

function listDependencyReasons({ task_decomposition: { subtasks } }: Plan): readonly string[] {
  const known = new Set(subtasks.map(({ id }) => id));
  const missing = subtasks.flatMap(({ id, dependencies }) =>
    dependencies
      .filter((one) => !known.has(one))
      .map((one) => `The subtask ${show(id)} depends on ${show(one)}, which is no subtask.`),
  );
  const inCircle = findCircular(subtasks);
  if (inCircle.length === 0) return missing;
  const shown = inCircle.slice(0, 10).map(show).join(', ');
  return [
    ...missing,
    `These subtasks form a circle of dependencies, or wait for one: ${shown}. Take a dependency out.`,
  ];
}

/** Subtasks that are never free to begin, dependencies that do not exist left aside. In time proportional to the plan. */
function findCircular(subtasks: Plan['task_decomposition']['subtasks']): readonly string[] {
  const open = new Map(subtasks.map(({ id }) => [id, 0]));
  const waiting = new Map<string, string[]>();
  for (const { id, dependencies } of subtasks) {
    for (const one of dependencies.filter((name) => open.has(name))) {
      open.set(id, (open.get(id) ?? 0) + 1);
      const followers = waiting.get(one) ?? [];
      followers.push(id);
      waiting.set(one, followers);
    }
  }
  const free = [...open].filter(([, count]) => count === 0).map(([id]) => id);
  for (let id = free.pop(); id !== undefined; id = free.pop()) {
    open.delete(id);
    for (const next of waiting.get(id) ?? []) {
      const left = (open.get(next) ?? 0) - 1;
      open.set(next, left);
      if (left === 0) free.push(next);
    }
  }
  return [...open.keys()];
}

function listOrderReasons({ action_plan: plan, task_decomposition: parts }: Plan): readonly string[] {
  const order = new Map(plan.execution_order.map((id, index) => [id, index]));
  const actions = new Set(plan.actions.map(({ task_id: id }) => id));
  const unordered = [...actions].filter((id) => !order.has(id));
  const unknown = plan.execution_order.filter((id) => !actions.has(id));
  const early = parts.subtasks.flatMap(({ id, dependencies }) =>
    dependencies
      .filter((one) => (order.get(one) ?? -1) > (order.get(id) ?? Number.POSITIVE_INFINITY))
      .map((one) => `execution_order has ${show(id)} before ${show(one)}, on which it depends.`),
  );
  return [
    ...unordered.map((id) => `execution_order leaves out ${show(id)}.`),
    ...unknown.map((id) => `execution_order names ${show(id)}, which no action has as its task_id.`),
    ...early,
  ];
}

function show(id: string): string {
  return JSON.stringify(id.length <= 60 ? id : `${id.slice(0, 59).toWellFormed()}…`);
}
