import type { ConversationView, ScriptedCall, ScriptedReply } from '../model/index.ts';
import { demoFault, demoRounding } from './demo-project.ts';

/** Part of the first and the last answer, so that no reader takes the script for a language model. */
export const scriptNotice = '(A script plays the language model. It knows only this one task.)';

/** A turn of the work: what the model answers, and the same in words for the log. */
export interface PlannedTurn {
  readonly reply: ScriptedReply;
  readonly inWords: string;
}

/** Line that verification has to find. */
const placeholder = '// TODO: a test for two rolls';
/** A line that is remembered wrongly: the edit that needs it fails. */
const misremembered = '  return takeOff(total, percent);';

/**
 * The demonstration's model at work: plans, remembers a line wrongly, rounds otherwise once its assumption is rejected, leaves
 * a placeholder and replaces it. Each turn follows from what the conversation shows.
 */
export function planDiscount(view: ConversationView): PlannedTurn {
  const request = findRequest(view);
  switch (request.phase) {
    case 'planning':
      return say(firstPlan, `${scriptNotice}\nMy plan has three steps. The second depends on my assumption.`);
    case 'execution':
      return act(request, view);
    case 'reflection':
    case 'revision':
      return reflect(request, view);
    case 'verification':
      return verify(request, view);
    case 'report':
      return report(request, view);
    default:
      return { reply: { text: scriptNotice }, inWords: scriptNotice };
  }
}

/** True for a request that shows the revised plan. */
export function hasRevised(body: unknown): boolean {
  return JSON.stringify(body).includes('task_4');
}

/** True if the failed edit is behind this request: from then on Mika can object. */
export function hasFailed(body: unknown): boolean {
  return JSON.stringify(body).includes(misremembered);
}

interface PhaseRequest {
  readonly phase: string;
  readonly text: string;
  /** Requests of this phase so far, of an action: attempts at it. */
  readonly number: number;
  /** Requests so far that want the tests to be run. */
  readonly runs: number;
}

function findRequest({ messages }: ConversationView): PhaseRequest {
  const requests = messages.flatMap(({ role, text }) => {
    const [, phase] = (role === 'user' && /^Planning phase: (\w+) \(request \d+\)\./.exec(text)) || [];
    return phase === undefined
      ? []
      : [{ phase, text, key: `${phase} ${phase === 'execution' ? toTask(text) : ''}` }];
  });
  const last = requests.at(-1) ?? { phase: '', text: '', key: '' };
  const runs = requests.filter(({ phase, text }) =>
    phase === 'execution' ? !(toTask(text) in calls) : phase === 'verification',
  );
  const number = requests.filter(({ key }) => key === last.key).length;
  return { ...last, number, runs: runs.length };
}

/** Revises the plan once, after a trusted user has rejected the assumption. */
function reflect({ phase }: PhaseRequest, view: ConversationView): PlannedTurn {
  const { messages } = view;
  const isRejected = messages.some(({ text }) =>
    /^\(The assumption A\d+, rounding, is rejected\./m.test(text),
  );
  if (!isRejected || isRevised(view)) return say(reflection, 'The plan is still right.');
  const answer = {
    ...reflection,
    phase,
    reflection: { ...reflection.reflection, status: 'partial', plan_revision_needed: true },
    plan_revision: revision,
  };
  return say(answer, 'My assumption was rejected: the till rounds once. I am revising the plan.');
}

function isRevised({ messages }: ConversationView): boolean {
  return messages.some(({ role, text }) => role === 'assistant' && text.includes('"plan_revision":{'));
}

function toTask(text: string): string {
  return /\b(?:task|verification_fix)_\d+\b/.exec(text)?.[0] ?? '';
}

/** Calls of each action, at each attempt; the last holds for the rest. */
const calls: Readonly<Record<string, readonly (readonly ScriptedCall[])[]>> = {
  task_1: [
    [edit(demoFault.file, [misremembered, demoFault.right])],
    [read(demoFault.file), edit(demoFault.file, [demoFault.wrong, demoFault.right])],
  ],
  task_2: [[read(demoFault.test)]],
  task_4: [
    [
      edit(demoFault.file, [demoRounding.perLine, demoRounding.onSum]),
      edit(demoFault.file, [demoFault.right, demoFault.wrong]),
      edit(demoFault.test, [demoRounding.testBefore, `${demoRounding.testBefore}\n\n${placeholder}`]),
    ],
  ],
  verification_fix_1: [[edit(demoFault.test, [placeholder, demoRounding.test.trim()])]],
};

const told: Readonly<Record<string, string>> = {
  task_1:
    'totalOf applies the discount to every line and then to their sum again. The sum already is the total.',
  task_2: 'No test contradicts rounding per line.',
  task_4: 'The discount is applied to the sum, once.',
  verification_fix_1: 'I replace the placeholder with a real test.',
};

function act({ text, number, runs }: PhaseRequest, view: ConversationView): PlannedTurn {
  const task = toTask(text);
  const attempts = calls[task];
  const wanted = attempts?.[Math.min(number, attempts.length) - 1];
  // All other actions run the tests.
  const open = wanted === undefined ? listRuns(runs, view) : wanted.filter((call) => !isMade(call, view));
  const [next] = open;
  if (next !== undefined) {
    const inWords =
      next.name === 'read_file' ? `I read ${next.input.path}.` : (told[task] ?? 'I run all tests.');
    return { reply: { toolCalls: [next] }, inWords };
  }
  const isMet = task !== 'task_1' || number > 1;
  const evidence = isMet ? 'The tool results confirm it.' : 'The file has no such line.';
  return say(
    { phase: 'execution', current_task: task, expected_outcome_met: isMet, evidence, comment: evidence },
    isMet ? `${task} is done.` : `${task} failed: the file has no such line.`,
  );
}

/** The run of the tests that is still to be made: one for each request that asks for one. */
function listRuns(wanted: number, { exchanges }: ConversationView): readonly ScriptedCall[] {
  return exchanges.filter(({ name }) => name === 'run_command').length < wanted ? [runTests] : [];
}

/** Runs the tests once a round, and goes by what code found. */
function verify({ text, runs }: PhaseRequest, view: ConversationView): PlannedTurn {
  const toolCalls = listRuns(runs, view);
  if (toolCalls.length > 0) return { reply: { toolCalls }, inWords: 'To verify, I run the tests again.' };
  const isFound = text.includes('What looks like a placeholder was found');
  const fix = toAction('verification_fix_1', 'Replace the placeholder with a test', 'edit_file');
  return say(
    {
      phase: 'verification',
      verification_passed: !isFound,
      issues_found: isFound ? ['A test is missing: there is only a placeholder.'] : [],
      placeholder_detected: { count: 0, locations: [], explained: [] },
      additional_work_needed: isFound,
      additional_actions: isFound ? [fix] : [],
      completion_confidence: isFound ? 0.5 : 0.95,
      comment: null,
    },
    isFound ? 'The test file still contains a placeholder.' : 'Everything is correct.',
  );
}

function report({ text }: PhaseRequest, view: ConversationView): PlannedTurn {
  if (text.includes('"phase": "completion"')) return say(completion, 'The work is done.');
  const words = [
    '`totalOf` applied the discount to every line of the basket and then to their sum again. It now applies it once.',
    isRevised(view) ? 'It also rounds only once, on the sum, because my assumption was rejected.' : '',
    "All tests pass. I couldn't check the till itself: I found no login data for it, and I don't guess credentials.",
  ];
  const answer = `${words.filter((part) => part !== '').join(' ')}\n\n${scriptNotice}`;
  return { reply: { text: answer }, inWords: answer };
}

function say(json: object, inWords: string): PlannedTurn {
  return { reply: { text: JSON.stringify(json) }, inWords };
}

const runTests: ScriptedCall = { name: 'run_command', input: { command: 'node', args: ['--test'] } };

function read(path: string): ScriptedCall {
  return { name: 'read_file', input: { path } };
}

/** Makes the call that replaces a text of a file by another. */
export function edit(path: string, [before, after]: readonly [string, string]): ScriptedCall {
  return { name: 'edit_file', input: { path, old_text: before, new_text: after } };
}

/** Tells whether a call was made. Defaults of its parameters are filled in before it is kept. */
export function isMade({ name, input }: ScriptedCall, { exchanges }: ConversationView): boolean {
  return exchanges.some(
    (made) =>
      made.name === name && Object.entries(input).every(([key, value]) => made.input?.[key] === value),
  );
}

function toSubtask(
  id: string,
  description: string,
  rests: readonly string[] = [],
  after: readonly string[] = [],
) {
  return {
    ...{ id, description, dependencies: after, estimated_complexity: 'low' },
    ...{ required_tools: [], rests_on: rests },
  };
}

function toAction(id: string, purpose: string, tool: string) {
  return {
    ...{ task_id: id, action_type: 'tool_call', tool, parameters: {}, purpose },
    expected_outcome: 'The tool reports success.',
    fallback_strategy: 'Read the file first, then edit what it really contains.',
  };
}

const once = 'Apply the discount once';
const perLine = 'Keep rounding per line';
const allTests = 'Run all tests';
/** The step that the revised plan adds. */
export const onSum = 'Round once, on the sum';

const firstPlan = {
  phase: 'planning',
  goal_understanding: {
    main_objective: 'The discount is applied once.',
    success_criteria: ['All tests pass.'],
    constraints: ['Prices on the shelf stay unchanged.'],
    context: 'A price list with one failing test.',
  },
  task_decomposition: {
    reasoning: 'One change, what it depends on, and the tests.',
    subtasks: [
      toSubtask('task_1', once),
      toSubtask('task_2', perLine, ['A1'], ['task_1']),
      toSubtask('task_3', allTests, [], ['task_2']),
    ],
  },
  action_plan: {
    execution_order: ['task_1', 'task_2', 'task_3'],
    actions: [
      toAction('task_1', once, 'edit_file'),
      toAction('task_2', perLine, 'read_file'),
      toAction('task_3', allTests, 'run_command'),
    ],
  },
  comment: null,
};

const revision = {
  reason: 'The till rounds once, on the sum',
  changes: [{ type: 'modify_action', details: 'The sum is rounded, not each line.' }],
  updated_action_plan: {
    execution_order: ['task_1', 'task_4', 'task_5'],
    actions: [
      toAction('task_1', once, 'edit_file'),
      toAction('task_4', onSum, 'edit_file'),
      toAction('task_5', allTests, 'run_command'),
    ],
  },
  updated_subtasks: [
    toSubtask('task_4', onSum, [], ['task_1']),
    toSubtask('task_5', allTests, [], ['task_4']),
  ],
};

const reflection = {
  phase: 'reflection',
  reflection: {
    ...{ action_evaluated: null, status: 'success', evaluation: 'As planned.', issues_identified: [] },
    ...{ root_cause: null, plan_revision_needed: false, reasoning: 'The tool results confirm it.' },
  },
  plan_revision: null,
  comment: null,
};

const completion = {
  phase: 'completion',
  done: true,
  summary: {
    ...{ goal_achieved: true, tasks_completed: 0, tasks_failed: 0 },
    key_outcomes: ['The discount is applied once.'],
    lessons_learned: ['The till rounds once, on the sum.'],
  },
  comment: null,
};
