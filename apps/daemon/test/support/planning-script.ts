import type { ConversationView, Script, ScriptedCall, ScriptedReply } from '@agent/simulators/model';

/** Request of a phase, as the model reads it. */
interface PhaseRequest {
  readonly phase: string;
  readonly text: string;
  /** Requests of this phase so far, this one included; of an action: attempts at it. */
  readonly number: number;
}

/** What a model answers to each phase of a plan; a phase that is left out gets an answer that changes nothing. */
export interface PlanStory {
  /** The plan, or what stands in its place. */
  readonly plan: (request: PhaseRequest, view: ConversationView) => unknown;
  /** Calls of each action, by its task; of several attempts the last entry holds for the rest. */
  readonly acts: Readonly<Record<string, readonly ScriptedCall[]>>;
  /** Carries out an action in another way than by these calls. */
  readonly carryOut?: (
    request: PhaseRequest & { readonly task: string },
    view: ConversationView,
  ) => ScriptedReply;
  readonly reflect?: (request: PhaseRequest, view: ConversationView) => unknown;
  readonly revise?: (request: PhaseRequest, view: ConversationView) => unknown;
  readonly verify?: (request: PhaseRequest, view: ConversationView) => unknown;
  /** Default: prose that says that it is done. */
  readonly report?: (view: ConversationView) => string;
  /** Follows where the run goes on without a plan. */
  readonly loop?: Script;
}

/** A model that plans, and carries out each action by one call. */
export function followPlan(story: PlanStory): Script {
  return (view) => {
    const request = findRequest(view);
    switch (request?.phase) {
      case 'planning':
        return toText(story.plan(request, view));
      case 'execution':
        return (
          story.carryOut?.({ ...request, task: toTask(request.text) }, view) ?? act(story, { request, view })
        );
      case 'reflection':
        return toText(story.reflect?.(request, view) ?? reflection({}));
      case 'revision':
        return toText(story.revise?.(request, view) ?? 'I would not know how.');
      case 'verification':
        return toText(story.verify?.(request, view) ?? verification({}));
      case 'report':
        return { text: story.report?.(view) ?? 'total counts quantities now.' };
      default:
        return story.loop?.(view) ?? { text: 'Nothing needs to change.' };
    }
  };
}

const firstLine = /^Planning phase: (\w+) \(request \d+\)\./;

/** The request that the model answers now; null before the first. */
function findRequest({ messages }: ConversationView): PhaseRequest | null {
  const requests = messages.flatMap(({ role, text }) => {
    const phase = role === 'user' ? firstLine.exec(text)?.[1] : undefined;
    return phase === undefined ? [] : [{ phase, text }];
  });
  const last = requests.at(-1);
  if (last === undefined) return null;
  const key = toKey(last);
  return { ...last, number: requests.filter((one) => toKey(one) === key).length };
}

function toKey({ phase, text }: Pick<PhaseRequest, 'phase' | 'text'>): string {
  return phase === 'execution' ? `${phase} ${toTask(text)}` : phase;
}

const toTask = (text: string): string =>
  /\b(?:task|verification_fix|delivery_fix)_\d+\b/.exec(text)?.[0] ?? '';

/** Makes the call of this attempt, then says whether it did what was expected. */
function act(
  { acts }: PlanStory,
  { request, view }: { readonly request: PhaseRequest; readonly view: ConversationView },
): ScriptedReply {
  const task = toTask(request.text);
  const calls = acts[task] ?? [];
  const made = view.exchanges.filter((exchange) => calls.some((call) => isSame(call, exchange)));
  const call = calls[Math.min(request.number, calls.length) - 1];
  if (call !== undefined && made.length < request.number) return { toolCalls: [call] };
  const output = made.at(-1)?.output ?? '';
  const met = made.length > 0 && !/exit code [1-9]|not found|cannot|fail [1-9]/.test(output);
  return toText({
    phase: 'execution',
    current_task: task,
    expected_outcome_met: met,
    evidence: output.slice(0, 200),
  });
}

/** Defaults of its parameters are filled in before a call is kept. */
function isSame({ name, input }: ScriptedCall, made: ConversationView['exchanges'][number]): boolean {
  const given = made.input ?? {};
  const isGiven = ([key, value]: [string, unknown]) => JSON.stringify(given[key]) === JSON.stringify(value);
  return made.name === name && Object.entries(input).every(isGiven);
}

const toText = (value: unknown): ScriptedReply => ({
  text: typeof value === 'string' ? value : JSON.stringify(value),
});

interface PlannedStep {
  readonly text: string;
  readonly tool: string;
  readonly restsOn?: readonly string[];
  readonly fallback?: string;
}

/** A plan of one subtask and one action for each step, each after the one before. */
export function planOf(steps: readonly PlannedStep[]) {
  const ids = steps.map((_, index) => `task_${index + 1}`);
  return {
    phase: 'planning',
    goal_understanding: {
      main_objective: 'total counts quantities.',
      success_criteria: ['The tests pass.'],
      constraints: [],
      context: 'A shop.',
    },
    task_decomposition: {
      reasoning: 'One after the other.',
      subtasks: steps.map(({ text, tool, restsOn = [] }, index) => ({
        id: ids[index],
        description: text,
        dependencies: ids.slice(Math.max(0, index - 1), index),
        estimated_complexity: 'low',
        required_tools: [tool],
        rests_on: restsOn,
      })),
    },
    action_plan: {
      execution_order: ids,
      actions: steps.map((step, index) => toAction(ids[index] ?? '', step)),
    },
    comment: 'Short work.',
  };
}

/** One action. */
export function toAction(id: string, { text, tool, fallback = 'Look once more.' }: PlannedStep) {
  return {
    task_id: id,
    action_type: 'tool_call',
    tool,
    parameters: {},
    purpose: text,
    expected_outcome: 'It is done.',
    fallback_strategy: fallback,
  };
}

/** A reflection, by default one that finds everything in order. */
export function reflection(fields: { readonly needed?: boolean; readonly revision?: object | null }) {
  const { needed = false, revision = null } = fields;
  return {
    phase: 'reflection',
    reflection: {
      action_evaluated: null,
      status: needed ? 'partial' : 'success',
      evaluation: 'As planned.',
      issues_identified: [],
      plan_revision_needed: needed,
      reasoning: 'By what the tools say.',
    },
    plan_revision: revision,
  };
}

/** A verification, by default one that is passed. */
export function verification(fields: { readonly passed?: boolean; readonly actions?: readonly object[] }) {
  const { passed = true, actions = [] } = fields;
  return {
    phase: 'verification',
    verification_passed: passed,
    issues_found: passed ? [] : ['Something is left.'],
    placeholder_detected: { count: 0, locations: [] },
    additional_work_needed: actions.length > 0,
    additional_actions: actions,
    completion_confidence: 0.9,
    comment: null,
  };
}

/** The plan that mends the test project, in three steps. */
export const fixStory = {
  plan: () =>
    planOf([
      { text: 'Read the code that sums up', tool: 'read_file' },
      { text: 'Multiply by the quantity', tool: 'edit_file' },
      { text: 'Run the tests', tool: 'run_command' },
    ]),
  acts: {
    task_1: [{ name: 'read_file', input: { path: 'total.js' } }],
    task_2: [
      {
        name: 'edit_file',
        input: { path: 'total.js', old_text: 'line.price', new_text: 'line.price * line.quantity' },
      },
    ],
    task_3: [{ name: 'run_command', input: { command: 'node', args: ['total.test.js'] } }],
  },
} satisfies PlanStory;
