import { randomUUID } from 'node:crypto';
import { formatTaskKey, toTaskKeyJson } from '@agent/platforms';
import { createMemoryRunState } from '@agent/run-store/testing';
import type { RunTool } from '@agent/runner';
import { type PlanningFact, runPlannedTask } from '@agent/runner/planning';
import { MockLanguageModelV4 } from 'ai/test';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createOpenPlanHistory, createReadRequestHash } from '../src/inheritance/plan-history.ts';
import { toLineageJson } from '../src/past/run-lineage.ts';
import { createRunAudience } from '../src/run/run-thread.ts';
import { makePastBed, type PastBed } from './past-bed.ts';

let bed: PastBed;
beforeEach(async () => {
  bed = await makePastBed({}, { mode: 'planning' });
});
afterEach(() => bed.close());

const actionOf = (task_id: string, text: string) => ({
  ...{ task_id, action_type: 'tool_call', tool: 'work', parameters: { text }, purpose: `Do ${text}.` },
  ...{ expected_outcome: 'It is done.', fallback_strategy: null },
});
const subtaskOf = (id: string, dependencies: readonly string[]) => ({
  ...{ id, description: `Part ${id}`, dependencies, estimated_complexity: 'low', required_tools: ['work'] },
  rests_on: [],
});
const plan = {
  phase: 'planning',
  goal_understanding: {
    ...{ main_objective: 'Count quantities', success_criteria: ['The total is right'] },
    ...{ constraints: [], context: '' },
  },
  task_decomposition: { reasoning: '', subtasks: [subtaskOf('task_1', []), subtaskOf('task_2', ['task_1'])] },
  action_plan: {
    execution_order: ['task_1', 'task_2'],
    actions: [actionOf('task_1', 'a'), actionOf('task_2', 'b')],
  },
  comment: null,
};
const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
};

/** A model that makes this plan and does all of it. `requests`: what it was asked for, by phase. */
function createPlanner() {
  const requests: string[] = [];
  const answerTo = (text: string, hasResult: boolean): string | object => {
    const task = /"current_task": "(\w+)"/.exec(text)?.[1];
    if (text.startsWith('Planning phase: planning')) return JSON.stringify(plan);
    if (task === undefined) {
      const summary = { goal_achieved: true, key_outcomes: [], lessons_learned: [] };
      return text.includes('"completion"')
        ? JSON.stringify({ phase: 'completion', done: true, summary })
        : 'All is done.';
    }
    if (!hasResult) return actionOf('', task === 'task_1' ? 'a' : 'b').parameters;
    return JSON.stringify({
      phase: 'execution',
      current_task: task,
      expected_outcome_met: true,
      evidence: 'seen',
    });
  };
  const model = new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
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
      if (requests.at(-1) !== text) requests.push(text);
      const answer = answerTo(
        text,
        texts.slice(index).some(({ role }) => role === 'tool'),
      );
      if (typeof answer === 'string') {
        const content = [{ type: 'text' as const, text: answer }];
        return { content, finishReason: { unified: 'stop', raw: 'stop' }, usage, warnings: [] };
      }
      const call = {
        type: 'tool-call',
        toolCallId: randomUUID(),
        toolName: 'work',
        input: JSON.stringify(answer),
      } as const;
      return {
        content: [call],
        finishReason: { unified: 'tool-calls', raw: 'tool_calls' },
        usage,
        warnings: [],
      };
    },
  });
  return { model, requests };
}

/** Carries a run of the thread from its beginning to its end, stopped once this task is done. */
async function work({ stopAfter = null }: { readonly stopAfter?: string | null } = {}) {
  const { key, platform, store, logger, clock } = bed;
  const { lineage, inherited } = await bed.begin();
  const uuid = randomUUID();
  const named = { taskKey: toTaskKeyJson(key), taskKeyText: formatTaskKey(key), host: platform.host };
  const { fromUuid: inheritedFromUuid, depth: inheritanceDepth } = lineage;
  const more = {
    user: 'alice',
    config: {},
    extra: toLineageJson(lineage),
    inheritedFromUuid,
    inheritanceDepth,
  };
  const { journal, finalSummary } = await store.open({ uuid, ...named, ...more });
  const audience = createRunAudience(createMemoryRunState());
  const thread = { platform: { platform }, ports: platform.openThread(key), audience };
  const run = {
    uuid,
    thread,
    lineage,
    facts: { locale: 'en' as const, belongsTo: null, repository: null },
    logger,
  };
  const done: string[] = [];
  const tool: RunTool = {
    description: 'Does something.',
    inputSchema: z.object({ text: z.string() }),
    readOnly: false,
    execute: async (input) => {
      done.push((input as { text: string }).text);
      return 'done';
    },
  };
  const { model, requests } = createPlanner();
  let isStopped = false;
  const result = await runPlannedTask({
    task: {
      ...{ model, tools: { work: tool }, journal, locale: 'en', maxRetries: 0, now: () => clock.ms },
      openConversation: async () => ({
        instructions: `You count. ${inherited?.block ?? ''}`,
        messages: [{ role: 'user', content: 'Count.' }],
      }),
      signals: { read: async () => (isStopped ? 'stop' : 'none') },
    },
    planning: {
      reflection: { enabled: false },
      verification: { enabled: false },
      replanning: { enabled: false },
    },
    history: await createOpenPlanHistory(bed)(run, { workspace: null }),
    sources: { readRequestHash: createReadRequestHash(run) },
    onEvent: (event) => {
      isStopped ||= event.type === 'action' && event.action === 'succeeded' && event.taskId === stopAfter;
    },
  });
  if (result.kind !== 'ended') throw new Error('the run was interrupted');
  const cost = { inputTokens: 1, outputTokens: 1 };
  await finalSummary.append({ text: 'It counts.', fields: {}, usage: cost }, { now: clock.ms });
  clock.ms += 60_000;
  await journal.finish(result.outcome);
  await store.finish(uuid);
  const { facts } = result.planning;
  const made = facts.find((fact): fact is Extract<PlanningFact, { type: 'plan' }> => fact.type === 'plan');
  return { uuid, status: result.outcome.status, done, requests, made };
}

const phaseOf = (requests: readonly string[], phase: string) =>
  requests.filter((text) => text.startsWith(`Planning phase: ${phase} `));

describe('plans over the runs of a thread', () => {
  it('go on in the next run where one was stopped, and teach the run after that [CI-75] [CI-76] [CI-79] [CI-83] [NX-122]', async () => {
    const first = await work({ stopAfter: 'task_1' });
    expect(first).toMatchObject({ status: 'stopped', done: ['a'], made: { origin: 'new' } });
    expect(phaseOf(first.requests, 'planning').join('')).not.toContain('Previous Planning Context');

    const second = await work();
    expect(second).toMatchObject({
      ...{ status: 'completed', done: ['b'] },
      made: { origin: 'continued', done_task_ids: ['task_1'], request_sha256: first.made?.request_sha256 },
    });
    expect(phaseOf(second.requests, 'planning')).toEqual([]);
    expect(phaseOf(second.requests, 'execution')).toEqual([
      expect.stringContaining(
        'Earlier runs on this thread, for actions of this kind:\n```inherited-data\n- work: Do a.: worked',
      ),
    ]);

    const third = await work();
    expect(third).toMatchObject({ status: 'completed', done: ['a', 'b'], made: { origin: 'new' } });
    const [asked = ''] = phaseOf(third.requests, 'planning');
    expect(asked).toContain('## Previous Planning Context');
    expect(asked).toContain('### Previous Processing Count\n2 time(s)');
    expect(asked).toMatch(
      /completed\): Count quantities; 2 subtask\(s\), 100% complete\n {2}- task_1: Part task_1 \(low\)/,
    );
    expect(asked).toContain('- Worked: work: Do b.');
  });
});
