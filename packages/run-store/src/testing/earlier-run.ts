import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '../run-model.ts';

/** A run of the earlier program. */
export interface EarlierRun {
  readonly uuid: string;
  readonly taskKey: JsonObject;
  readonly summary: string;
  readonly place?: string;
}

/** A directory as the earlier program made it, in its own field names. */
export async function writeEarlierRun(baseDirectory: string, run: EarlierRun): Promise<void> {
  const { uuid, taskKey, summary, place = 'completed' } = run;
  const at = join(baseDirectory, place, uuid);
  await mkdir(join(at, 'planning'), { recursive: true });
  const config = {
    llm_provider: 'openai',
    model: 'gpt-4o',
    context_length: 128000,
    compression_threshold: 0.7,
  };
  const metadata = {
    ...{ uuid, task_key: taskKey, created_at: '2025-01-31T10:00:00.123456', process_id: 17 },
    ...{ hostname: 'build-7.internal', config, user: 'mona' },
  };
  const timestamp = '2025-01-31T11:00:00.000000';
  const plan = {
    phase: 'planning',
    goal_understanding: { main_objective: 'Count quantities' },
    task_decomposition: { subtasks: [{ id: 'task_1', description: 'Fix total.js' }] },
    action_plan: {
      execution_order: ['task_1'],
      actions: [{ task_id: 'task_1', action_type: 'tool_call', tool: 'edit' }],
    },
  };
  const files = {
    'metadata.json': JSON.stringify(metadata, null, 2),
    'messages.jsonl': toLines(
      { seq: 1, role: 'system', content: 'You are an agent.', timestamp, tokens: 5 },
      { seq: 2, role: 'tool', content: 'output: ok', timestamp, tokens: 3, tool_name: 'edit' },
    ),
    'current.jsonl': toLines({ role: 'assistant', content: summary }),
    'summaries.jsonl': toLines(
      {
        id: 1,
        start_seq: 1,
        end_seq: 1,
        summary: 'interim',
        original_tokens: 9,
        summary_tokens: 3,
        ratio: 0.33,
        timestamp,
      },
      {
        id: 2,
        start_seq: 1,
        end_seq: 2,
        summary,
        original_tokens: 9,
        summary_tokens: 3,
        ratio: 0.33,
        timestamp,
      },
    ),
    'tools.jsonl': toLines({
      seq: 1,
      tool: 'edit',
      args: {},
      result: 'ok',
      status: 'success',
      duration_ms: 5,
      timestamp,
    }),
    [`planning/${uuid}.jsonl`]: toLines({ type: 'plan', timestamp, issue_id: '42', task_uuid: uuid, plan }),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(at, name), text);
}

const toLines = (...lines: readonly object[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('');
