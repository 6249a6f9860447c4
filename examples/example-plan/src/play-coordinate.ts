import type { SourceComment } from '@agent/comment-detection';
import type { RunTools } from '@agent/runner';
import { jsonSchema } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { work } from './coordinate.ts';

/** Plays the guide: the model is a script, and alice comments while a file is written. Shows what reached the model, then the outcome. */
export async function playCoordinate(show: (line: string) => void): Promise<void> {
  const prompts: string[] = [];
  const comments: SourceComment[] = [];
  const thread = {
    listComments: async () => ({ comments: [...comments], complete: true, cursor: null, unchanged: false }),
  };
  const result = await work(createModel(prompts), createTools(comments), thread, 'Round the total.');
  const planning = prompts.find((text) => text.includes('Planning phase: planning')) ?? '';
  show(`Pre-planning is in the request for the plan: ${planning.includes('export const total')}`);
  show(`The comment reached the model: ${prompts.some((text) => text.includes('Round to whole yen!'))}`);
  show(`Outcome: ${result.kind === 'ended' ? result.outcome.status : result.kind}`);
}

function createTools(comments: SourceComment[]): RunTools {
  return {
    read_file: {
      description: 'Reads a file.',
      inputSchema: toSchema('path'),
      readOnly: true,
      execute: async () => 'export const total = (prices) => prices.reduce((sum, price) => sum + price, 0);',
    },
    write_file: {
      description: 'Writes a file.',
      inputSchema: toSchema('path', 'text'),
      readOnly: false,
      execute: async () => {
        const said = {
          id: '1',
          author: { id: '7', login: 'alice' },
          body: 'Round to whole yen!',
          updatedAt: null,
        };
        if (comments.length === 0) comments.push({ ...said, createdAt: '2199-01-01T10:00:00Z' });
        return 'Wrote total.js.';
      },
    },
  };
}

function toSchema(...names: readonly string[]) {
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
  return jsonSchema<Record<string, string>>({ type: 'object', properties, required: [...names] });
}

const none = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 };

function createModel(prompts: string[]): MockLanguageModelV4 {
  let calls = 0;
  return new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      const texts = prompt.map(({ content }) =>
        typeof content === 'string' ? content : JSON.stringify(content),
      );
      prompts.push(texts.join('\n'));
      const answer = toAnswer(texts, prompt.at(-1)?.role === 'tool');
      const isCall = typeof answer !== 'string' && 'toolName' in answer;
      const call = {
        type: 'tool-call' as const,
        toolCallId: `call-${++calls}`,
        input: JSON.stringify(answer),
      };
      return {
        content: [
          isCall
            ? { ...call, toolName: 'write_file', input: JSON.stringify({ path: 'total.js', text: '' }) }
            : { type: 'text', text: typeof answer === 'string' ? answer : JSON.stringify(answer) },
        ],
        finishReason: isCall
          ? { unified: 'tool-calls', raw: 'tool_calls' }
          : { unified: 'stop', raw: 'stop' },
        usage: { inputTokens: none, outputTokens: { total: 1, text: 1, reasoning: 0 } },
        warnings: [],
      };
    },
  });
}

/** Answers the phase that the last request names; before the plan, the questions of pre-planning. */
function toAnswer(texts: readonly string[], isAfterTool: boolean): object | string {
  const all = texts.join('\n');
  const [phase = ''] = all.match(/Planning phase: \w+/g)?.slice(-1) ?? [];
  switch (phase.replace('Planning phase: ', '')) {
    case 'planning':
      return plan;
    case 'execution':
      return isAfterTool
        ? {
            phase: 'execution',
            current_task: 'task_1',
            expected_outcome_met: true,
            evidence: 'It was written.',
          }
        : { toolName: 'write_file' };
    case 'reflection':
      return reflection;
    case 'verification':
      return verification;
    case 'report':
      return 'The total is rounded to whole yen.';
    default:
      return all.includes('What may be needed') ? needs : understanding;
  }
}

const understanding = {
  task_type: 'bug fix',
  primary_goal: 'Round the total',
  understanding_confidence: 0.9,
};
const method = { tool: 'read_file', parameters: { path: 'total.js' } };
const needs = {
  required_information: [{ id: 'info_1', description: 'the function', collection_method: method }],
};
const action = {
  task_id: 'task_1',
  tool: 'write_file',
  parameters: { path: 'total.js' },
  purpose: 'Round the total.',
  expected_outcome: 'The file is written.',
  fallback_strategy: 'Write a new file.',
};
const subtask = {
  id: 'task_1',
  description: 'Round the total.',
  dependencies: [],
  estimated_complexity: 'low',
  required_tools: ['write_file'],
  rests_on: [],
};
const second = { ...action, task_id: 'task_2', purpose: 'Round it everywhere.' };
const plan = {
  phase: 'planning',
  goal_understanding: {
    main_objective: 'Round the total',
    success_criteria: ['The total is a whole number.'],
    constraints: [],
    context: '',
  },
  task_decomposition: { reasoning: 'Two small steps.', subtasks: [subtask, { ...subtask, id: 'task_2' }] },
  action_plan: { execution_order: ['task_1', 'task_2'], actions: [action, second] },
};
const reflection = {
  phase: 'reflection',
  reflection: {
    action_evaluated: null,
    status: 'success',
    evaluation: 'Written.',
    issues_identified: [],
    root_cause: null,
    plan_revision_needed: false,
    reasoning: 'The plan holds.',
  },
  plan_revision: null,
};
const verification = {
  phase: 'verification',
  verification_passed: true,
  issues_found: [],
  placeholder_detected: { count: 0, locations: [] },
  additional_work_needed: false,
  additional_actions: [],
  completion_confidence: 0.9,
};
