import type { ConversationView, Script, ScriptedReply } from '@agent/simulators/model';
import { followPlan, planOf, reflection, toAction, verification } from '../../support/planning-script.ts';
import { need, withPreparation } from '../../support/pre-planning-script.ts';
import { createCarefulScript } from '../careful-script.ts';
import { toStep } from './stepping-script.ts';

/** Words of people that the model plans by. */
export const wish = 'Do the fifth step as well';

const stepOf: Readonly<Record<string, number>> = {
  ...{ task_1: 1, task_2: 2, task_3: 3, task_4: 4, task_5: 5, verification_fix_1: 6 },
};
const textOf = (id: string): string => `Take the step ${stepOf[id]}`;
const step = (id: string) => ({ text: textOf(id), tool: 'run_command' });

/**
 * A model that plans as a careful one does. It asks one question first, assumes one thing that a step rests on, fails at the
 * second step so many times, takes in what people wish, wants one more step when it verifies, and looks before it repeats
 * what was interrupted. `isVerified`: default true; otherwise it never finds its work to be whole.
 */
export function createPlanningScript({
  failures,
  isVerified = true,
}: {
  readonly failures: number;
  readonly isVerified?: boolean;
}): Script {
  const needs = ['total', 'rounding'].map((id) => need(id, 'read_file', { description: `What ${id} is` }));
  const script = followPlan({
    plan: (_request, view) => (hasSaid(view, 'unclear_goal') ? plan() : question),
    acts: {},
    carryOut: ({ task, number }, view) =>
      carryOut({ task, fails: task === 'task_2' && number <= failures, number }, view),
    reflect: ({ text }, view) => (text.includes('replan_decision') ? retry() : reconsider(view)),
    revise: (_request, view) => ({ phase: 'revision', plan_revision: toRevision(view, 'task_4') }),
    verify: (_request, view) =>
      hasSaid(view, 'verification_fix_1')
        ? verification({ passed: isVerified })
        : verification({
            passed: false,
            actions: [toAction('verification_fix_1', step('verification_fix_1'))],
          }),
    report: () => 'All steps are taken.',
  });
  return withPreparation(script, needs);
}

const question = {
  phase: 'planning',
  error: { type: 'unclear_goal', message: '?', clarification_needed: ['Which steps?'] },
};

const plan = () => planOf([step('task_1'), step('task_2'), { ...step('task_3'), restsOn: ['A1'] }]);

const hasSaid = ({ messages }: ConversationView, words: string): boolean =>
  messages.some(({ role, text }) => role === 'assistant' && text.includes(words));

const isWished = ({ messages }: ConversationView): boolean =>
  messages.some(({ role, text }) => role === 'user' && text.includes(wish));

interface Attempt {
  readonly task: string;
  readonly fails: boolean;
  readonly number: number;
}

/** Takes the step, or calls what does not exist. Goals that are reached are no longer called for. */
function carryOut({ task, fails, number }: Attempt, view: ConversationView): ScriptedReply {
  const missing = { name: 'run_command', input: { command: 'sh', args: [`missing-${number}.sh`] } };
  const goal = fails ? { call: missing, look: null } : toStep(stepOf[task] ?? 0);
  const reply = createCarefulScript(() => [goal], { callsAtOnce: 1 })(view);
  if ('toolCalls' in reply) return reply;
  const end = {
    phase: 'execution',
    current_task: task,
    expected_outcome_met: !fails,
    evidence: 'As the log says.',
  };
  return { text: JSON.stringify(end) };
}

function retry() {
  const decision = { replan_needed: true, confidence: 0.9, replan_type: 'retry', target_phase: 'execution' };
  return { ...reflection({}), replan_decision: { ...decision, reasoning: 'It may work.' } };
}

function reconsider(view: ConversationView) {
  const isNew = isWished(view) && !hasSaid(view, 'task_5');
  const third = hasSaid(view, 'task_4') ? 'task_4' : 'task_3';
  return reflection(isNew ? { needed: true, revision: toRevision(view, third) } : {});
}

function toRevision(view: ConversationView, third: 'task_3' | 'task_4') {
  const ids = ['task_1', 'task_2', third, ...(isWished(view) ? ['task_5'] : [])];
  const toSubtask = (id: string) => ({
    ...{ id, description: textOf(id), dependencies: ['task_2'], rests_on: [] },
    ...{ estimated_complexity: 'low', required_tools: ['run_command'] },
  });
  return {
    reason: 'People want it so.',
    changes: [{ type: 'add_action', details: ids.at(-1) }],
    updated_action_plan: { execution_order: ids, actions: ids.map((id) => toAction(id, step(id))) },
    updated_subtasks: ids.filter((id) => /[45]$/.test(id)).map(toSubtask),
  };
}
