import type { RunEvent, RunTaskOptions } from '../src/index.ts';
import { createMemoryRunJournal, type MemoryRunJournal } from '../src/index.ts';
import {
  type PlannedTaskOptions,
  type PlannedTaskResult,
  type PlanningEvent,
  runPlannedTask,
} from '../src/planning/index.ts';
import { createScriptedModel, type ModelPrompt, type ScriptedAnswer } from './scripted-model.ts';

export interface PlannedTestRun {
  readonly result: PlannedTaskResult;
  readonly journal: MemoryRunJournal;
  /** Checkpoints with their verdict, and what became of the plan, in their order. */
  readonly events: readonly string[];
}

type Defaulted = 'journal' | 'tools' | 'openConversation';

export interface PlannedTestOptions
  extends Omit<RunTaskOptions, Defaulted>,
    Omit<PlannedTaskOptions, 'task' | 'onEvent'> {
  readonly journal?: MemoryRunJournal;
  readonly tools?: RunTaskOptions['tools'];
  /** Takes the events as they come. */
  readonly events?: string[];
}

/** Settings without what the second half of a plan adds. */
const plainly = {
  reflection: { enabled: false },
  verification: { enabled: false },
  replanning: { enabled: false },
} as const;

/** Plans a task with what most tests do not care about filled in. */
export async function planForTest(options: PlannedTestOptions): Promise<PlannedTestRun> {
  const { journal = createMemoryRunJournal(), tools = {}, events = [], ...others } = options;
  const { planning = plainly, people, history, sources, language, checkTools, agent, ...task } = others;
  const result = await runPlannedTask({
    task: {
      locale: 'en',
      maxRetries: 0,
      ...task,
      journal,
      tools,
      openConversation: async () => ({
        instructions: 'You mend things.',
        messages: [{ role: 'user', content: 'Mend it.' }],
      }),
      onEvent: (event) => events.push(...toLine(event)),
    },
    ...{ planning, people, history, sources, language, checkTools, agent },
    onEvent: (event) => events.push(toPlanLine(event)),
  });
  return { result, journal, events };
}

function toLine(event: RunEvent): readonly string[] {
  return event.type === 'checkpoint' && event.name !== 'before_call'
    ? [`${event.name}: ${event.verdict}`]
    : [];
}

function toPlanLine(event: PlanningEvent): string {
  switch (event.type) {
    case 'phase':
      return `= ${event.phase}`;
    case 'action':
      return `${event.taskId} ${event.action} (${event.attempt})`;
    default:
      return event.type;
  }
}

/** A plan of one subtask and one action of the tool `work` for each text, in a row. */
export function planOf(...texts: readonly string[]) {
  const ids = texts.map((_, index) => `task_${index + 1}`);
  return {
    phase: 'planning',
    goal_understanding: {
      main_objective: 'Mend it.',
      success_criteria: ['It works.'],
      constraints: [],
      context: '',
    },
    task_decomposition: {
      reasoning: 'One after the other.',
      subtasks: texts.map((text, index) => ({
        id: ids[index],
        description: `Do ${text}.`,
        dependencies: ids.slice(Math.max(0, index - 1), index),
        estimated_complexity: 'low',
        required_tools: ['work'],
        rests_on: [],
      })),
    },
    action_plan: {
      execution_order: ids,
      actions: texts.map((text, index) => ({
        task_id: ids[index],
        action_type: 'tool_call',
        tool: 'work',
        parameters: { text },
        purpose: `Do ${text}.`,
        expected_outcome: 'It is done.',
        fallback_strategy: 'Do it otherwise.',
      })),
    },
    comment: null,
  };
}

/** Conversation as a model sees it: role and text of each message. */
function toDialogue(prompt: ModelPrompt): readonly { readonly role: string; readonly text: string }[] {
  return prompt.map(({ role, content }) => ({
    role,
    text:
      typeof content === 'string'
        ? content
        : content.map((part) => ('text' in part ? part.text : `[${part.type}]`)).join(''),
  }));
}

/** Last request of a phase in a prompt: its phase, its text, and what followed it. */
export function findRequest(prompt: ModelPrompt) {
  const dialogue = toDialogue(prompt);
  const index = dialogue.findLastIndex(
    ({ role, text }) => role === 'user' && text.startsWith('Planning phase: '),
  );
  const text = dialogue[index]?.text ?? '';
  return {
    phase: /^Planning phase: (\w+)/.exec(text)?.[1] ?? null,
    task: /"current_task": "(\w+)"/.exec(text)?.[1] ?? null,
    text,
    after: dialogue.slice(index + 1),
  };
}

/** Answers to the requests of each phase; what is left out answers as a model that does all well. */
export interface PlannerScript {
  readonly execution?: (request: ReturnType<typeof findRequest>, prompt: ModelPrompt) => ScriptedAnswer;
  readonly planning?: (request: ReturnType<typeof findRequest>) => ScriptedAnswer;
  readonly reflection?: (request: ReturnType<typeof findRequest>, prompt: ModelPrompt) => ScriptedAnswer;
  readonly revision?: (request: ReturnType<typeof findRequest>) => ScriptedAnswer;
  readonly verification?: (request: ReturnType<typeof findRequest>, prompt: ModelPrompt) => ScriptedAnswer;
  readonly report?: (request: ReturnType<typeof findRequest>) => ScriptedAnswer;
  readonly loop?: (request: ReturnType<typeof findRequest>) => ScriptedAnswer;
}

/** A model that makes this plan and does all of it: from the prompt alone, so that it goes on after a crash. */
export function createPlanner(plan: ReturnType<typeof planOf>, script: PlannerScript = {}) {
  return createScriptedModel((prompt) => {
    const request = findRequest(prompt);
    const scripted = script[request.phase as keyof PlannerScript];
    if (scripted !== undefined) return scripted(request, prompt);
    switch (request.phase) {
      case 'planning':
        return JSON.stringify(plan);
      case 'execution':
        return act(plan, request);
      case 'report':
        return request.text.includes('"completion"') ? completionAnswer : 'All is done.';
      default:
        return `nothing for ${request.phase}`;
    }
  });
}

const completionAnswer = JSON.stringify({
  phase: 'completion',
  done: true,
  summary: { goal_achieved: true, key_outcomes: ['It works.'], lessons_learned: ['Look first.'] },
});

/** Calls the tool of the action, then says that it is done. */
function act(
  plan: ReturnType<typeof planOf>,
  { task, after }: ReturnType<typeof findRequest>,
): ScriptedAnswer {
  if (after.some(({ role }) => role === 'tool')) return actionAnswer(task ?? '');
  const action = plan.action_plan.actions.find(({ task_id }) => task_id === task);
  return [{ id: `call-${task}`, tool: 'work', input: action?.parameters ?? {} }];
}

export function actionAnswer(task: string, { met = true } = {}): string {
  return JSON.stringify({
    phase: 'execution',
    current_task: task,
    expected_outcome_met: met,
    evidence: `${task} was seen to be done`,
    comment: null,
  });
}
