import { MockLanguageModelV4 } from 'ai/test';

type Generate = NonNullable<ConstructorParameters<typeof MockLanguageModelV4>[0]>['doGenerate'];
type Prompt = Parameters<Extract<Generate, (...all: never[]) => unknown>>[0]['prompt'];

/** Answer of the script: JSON or prose, or the call of a tool. */
type Answer = string | { readonly tool: string; readonly input: object };

/** Creates a scripted model. It derives each answer from the prompt. */
export function playModel(): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      const answer = toAnswer(readRequest(prompt));
      const isText = typeof answer === 'string';
      const call = isText
        ? null
        : { toolCallId: 'call', toolName: answer.tool, input: JSON.stringify(answer.input) };
      return {
        content: [call === null ? { type: 'text', text: answer as string } : { type: 'tool-call', ...call }],
        finishReason: isText
          ? { unified: 'stop', raw: 'stop' }
          : { unified: 'tool-calls', raw: 'tool_calls' },
        usage: { inputTokens: tokens, outputTokens: { total: 1, text: 1, reasoning: 0 } },
        warnings: [],
      };
    },
  });
}

const tokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 };

/** The last request of a phase, and what came of it so far. */
interface Request {
  readonly phase: string;
  readonly text: string;
  readonly calls: number;
}

function readRequest(prompt: Prompt): Request {
  const texts = prompt.map(({ role, content }) => ({
    role,
    text:
      typeof content === 'string'
        ? content
        : content.map((part) => ('text' in part ? part.text : '')).join(''),
  }));
  const index = texts.findLastIndex(
    ({ role, text }) => role === 'user' && text.startsWith('Planning phase: '),
  );
  const text = texts[index]?.text ?? '';
  const calls = texts.slice(index).filter(({ role }) => role === 'tool').length;
  return { phase: /: (\w+) /.exec(text)?.[1] ?? '', text, calls };
}

function toAnswer({ phase, text, calls }: Request): Answer {
  switch (phase) {
    case 'planning':
      return JSON.stringify(plan);
    case 'execution':
      return act(text, calls);
    case 'verification':
      return verify(text, calls);
    default:
      return text.includes('"completion"') ? completion : 'The page greets the world, and its check passes.';
  }
}

function act(text: string, calls: number): Answer {
  const id = /"current_task": "(\w+)"/.exec(text)?.[1] ?? '';
  const [first, second] = text.includes('once more') ? [written, check] : (steps[id] ?? []);
  const call = [first, second][calls];
  return (
    call ??
    JSON.stringify({
      phase: 'execution',
      current_task: id,
      expected_outcome_met: true,
      evidence: 'the tool calls succeeded',
    })
  );
}

function verify(text: string, calls: number): Answer {
  if (calls === 0) return check;
  const isOpen = text.includes('index.html:2');
  return JSON.stringify({
    phase: 'verification',
    verification_passed: !isOpen,
    issues_found: isOpen ? ['A TODO is left in index.html.'] : [],
    placeholder_detected: { count: isOpen ? 1 : 0, locations: isOpen ? ['index.html:2'] : [] },
    additional_work_needed: isOpen,
    additional_actions: isOpen ? [toAction('verification_fix_1', 'write_file', 'Remove the TODO.')] : [],
    completion_confidence: 0.9,
  });
}

const write = (path: string, text: string): Answer => ({ tool: 'write_file', input: { path, text } });
const check: Answer = { tool: 'run_check', input: {} };
const written = write('check.txt', 'Hello, world');

const steps: Readonly<Record<string, readonly Answer[]>> = {
  task_1: [write('index.html', '<h1>Hello, world</h1>\n<!-- TODO: a picture -->')],
  task_2: [write('check.txt', 'Good morning'), check],
  task_3: [check],
  verification_fix_1: [write('index.html', '<h1>Hello, world</h1>')],
};

function toAction(id: string, tool: string, purpose: string) {
  const fallback_strategy = 'Use the text of the page.';
  return {
    task_id: id,
    tool,
    parameters: {},
    purpose,
    expected_outcome: 'The tool says so.',
    fallback_strategy,
  };
}

const actions = [
  toAction('task_1', 'write_file', 'Write the page.'),
  toAction('task_2', 'write_file', 'Write the check, and run it.'),
  toAction('task_3', 'run_check', 'Run the check on the whole.'),
];

const plan = {
  phase: 'planning',
  goal_understanding: {
    main_objective: 'A page that greets',
    success_criteria: ['The check passes.'],
    constraints: [],
    context: '',
  },
  task_decomposition: {
    reasoning: 'The page comes before its check.',
    subtasks: actions.map(({ task_id: id, purpose, tool }, index) => ({
      ...{ id, description: purpose, estimated_complexity: 'low', required_tools: [tool], rests_on: [] },
      dependencies: index === 0 ? [] : [`task_${index}`],
    })),
  },
  action_plan: { execution_order: actions.map(({ task_id }) => task_id), actions },
};

const completion = JSON.stringify({
  phase: 'completion',
  done: true,
  summary: {
    goal_achieved: true,
    key_outcomes: ['A page that greets.'],
    lessons_learned: ['The check uses the text of the page.'],
  },
});
