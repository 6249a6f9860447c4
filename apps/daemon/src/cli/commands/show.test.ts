import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createPrePlanningFiles, noCost } from '@agent/orchestrator';
import { createReadOnlyTools, PrePlanningManager } from '@agent/pre-planning';
import type { Json } from '@agent/run-store';
import { createFileRunStore } from '@agent/run-store/file';
import { openRunState } from '@agent/run-store/testing';
import { wrapToolOutput } from '@agent/text';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '../../../test/support/command.ts';
import { type KeptRuns, makeKeptRuns } from '../../../test/support/kept-runs.ts';
import { type ShowFlags, showCommand } from './show.ts';

const uuid = '33330000-0000-4000-8000-000000000003';
const secret = 'ghp_0123456789abcdefghij0123456789abcdef';
const source = { ask: () => Promise.reject(new Error('nothing is asked here')) };

let kept: KeptRuns;
let directory = '';
beforeEach(async () => {
  kept = await makeKeptRuns();
  await kept.add({ uuid, number: 3, state: 'completed' });
  directory = join(kept.contexts, 'completed', uuid);
});
afterEach(() => kept.close());

const show = (json = false, run = uuid) =>
  runCommand((io) => showCommand({ config: kept.configFile, run, json }, io));

it('shows the run of a task that is named as status names it', async () => {
  const named = await show(false, 'acme/shop#3');
  expect(named.code).toBe(0);
  expect(named.output).toBe((await show()).output);
  expect((await show(false, 'acme/shop#4')).code).toBe(1);
});

/** As a run leaves it that read one file, did not find another, and was not let run a command. */
async function keepPreparation(): Promise<void> {
  const calls = [
    { id: 'b', tool: 'read_file', calls: 1, error: null },
    { id: 'a', tool: 'read_file', calls: 3, error: `503 \u001b[2J${secret}` },
    { id: 'c', tool: 'run_command', calls: 0, error: 'only read-only tools run' },
    { id: 'd', tool: 'read_file', calls: null, error: null },
  ];
  const failures = calls.flatMap(({ id, error }) =>
    error === null ? [] : { info_id: id, reason: error, is_transient: true },
  );
  const state = {
    ...new PrePlanningManager({ source, tools: createReadOnlyTools({}) }).getState(),
    collection_plan: {
      required_information: calls.map(({ id, tool }) => ({
        id,
        category: 'codebase',
        description: '',
        purpose: '',
        collection_method: { tool, parameters: { path: `${id}.js` } },
        fallback_strategy: '',
        can_assume: true,
        default_assumption: null,
      })),
      collection_order: calls.map(({ id }) => id),
      skip_collection: false,
      skip_reason: '',
    },
    collection_results: calls.toReversed().flatMap(({ id, calls: tool_calls_used, error }) =>
      tool_calls_used === null
        ? []
        : {
            info_id: id,
            status: error === null ? 'collected' : 'failed',
            collected_data: error === null ? { summary: '', details: '' } : null,
            assumption_made: null,
            tool_calls_used,
            timestamp: '2026-01-01T22:59:00Z',
          },
    ),
    failures,
  };
  const files = createPrePlanningFiles(openRunState(directory));
  await files.save({ knownComments: [], cost: noCost, state });
}

describe('show, of a run that got ready', () => {
  it('tells first what tools were asked for that, each once, and that a refused one was not called [PP-57]', async () => {
    await keepPreparation();
    const { output } = await show();
    const time = '2026-01-01 22:59:00';
    expect(output).toContain(`   ✓ ${time}  read_file  pre-planning  {"path":"b.js"}`);
    expect(output).toContain(
      `   ✗ ${time}  read_file  pre-planning, called 3 times  {"path":"a.js"}\n   503 [REDACTED]`,
    );
    expect(output).toContain(`   ✗ ${time}  run_command  pre-planning, not called  {"path":"c.js"}`);
    expect(output).not.toContain('d.js');
    expect(output.indexOf('b.js')).toBeLessThan(output.indexOf('a.js'));
    expect(output.indexOf('c.js')).toBeLessThan(output.indexOf('Please mend it.'));
  });

  it('tells programs the same, and nothing of a run that began at once', async () => {
    expect(JSON.parse((await show(true)).output)).toMatchObject({ prepared: [] });
    await keepPreparation();
    const { prepared } = JSON.parse((await show(true)).output);
    expect(prepared).toMatchObject([
      { info_id: 'b', tool: 'read_file', args: { path: 'b.js' }, status: 'success', calls: 1, error: null },
      { info_id: 'a', status: 'error', calls: 3 },
      { info_id: 'c', tool: 'run_command', status: 'error', calls: 0 },
    ]);
  });

  it('says where that cannot be read, and shows the rest', async () => {
    await writeFile(join(directory, 'pre_planning_state.json'), '{"known');
    const { code, output, errors } = await show();
    expect([code, errors]).toEqual([0, expect.stringContaining('failed to read pre-planning progress')]);
    expect(output).toContain('Please mend it.');
  });
});

describe('show, for an operator', () => {
  const store = () =>
    createFileRunStore<{ readonly role: string; readonly content: unknown }>({
      baseDirectory: kept.contexts,
      parseMessage: (json) => json as { role: string; content: unknown },
      now: () => Date.parse('2026-01-01T23:00:00Z'),
    });
  const open = (number: number) =>
    store().open({
      uuid: `5555000${number}-0000-4000-8000-000000000000`,
      taskKey: { type: 'github_issue', owner: 'acme', repo: 'shop', number },
      taskKeyText: `github_issue:acme:shop:${number}`,
      ...{ host: 'github.com', user: 'alice', config: { model: 'scripted-model' } },
      extra: { title: 'The total is wrong', number, url: `https://github.com/acme/shop/issues/${number}` },
    });
  const usage = { inputTokens: 100, outputTokens: 20 };
  const prompt = `You are an agent.\n${'Rule.\n'.repeat(200)}`;

  /** As a run leaves it that failed in its third step. */
  async function keepFailed(): Promise<void> {
    const { journal } = await open(7);
    const fact = (name: string, data: Json) => journal.append({ type: 'fact', name, data });
    const say = (role: string, content: string, more = {}) =>
      journal.append({ type: 'message', message: { role, content }, usage: null, delivers: [], ...more });
    const call = async (
      id: string,
      tool: string,
      end: object & { readonly status: 'success' | 'error'; readonly output: string },
    ) => {
      const about = { toolCallId: id, tool, args: { path: `${id}.js` } };
      await journal.append({ type: 'tool-started', ...about });
      await journal.append({ type: 'tool-finished', ...about, ...end, durationMs: 1 });
    };
    const printed = wrapToolOutput('Cannot find c.js\nExit code: 2', {
      tool: 'run_command',
      nonce: 'n'.repeat(16),
    });
    const calls = {
      a: ['read_file', { status: 'error', output: 'no a' }],
      b: ['run_command', { status: 'success', output: 'no b' }],
      c: ['run_command', { status: 'success', output: printed, failure: 'exit code 2' }],
    } as const;
    await say('system', prompt);
    await fact('observed', { opening: { history_until: null }, observations: [] });
    for (const [id, [tool, end]] of Object.entries(calls)) {
      await say('assistant', `Step ${id}.`, { usage });
      await call(id, tool, end);
    }
    const statistics = { modelCalls: 3, toolCalls: 3, ...usage, costMicros: 5_000, durationMs: 65_000 };
    const details = {
      error_class: 'repeated_call',
      branch: 'agent/7',
      comment_detection: { polls: 3 },
      change_request: null,
    };
    await journal.finish({
      status: 'failed',
      reason: 'exit code 1',
      finalText: 'I gave up.',
      statistics,
      details,
    });
    await store().finish('55550007-0000-4000-8000-000000000000');
  }

  const run = (flags: Partial<ShowFlags>) =>
    runCommand((io) => showCommand({ config: kept.configFile, run: 'acme/shop#7', ...flags }, io));

  it('begins with state, reason, failed step, output and what to do, and folds prompts', async () => {
    await keepFailed();
    const { code, output } = await run({});
    expect(code).toBe(0);
    expect(output.slice(0, output.indexOf('\nThread: '))).toMatchInlineSnapshot(`
      "acme/shop#7  The total is wrong
      failed: exit code 1
      Failed step: step 3, run_command
         {"path":"c.js"}
         exit code 2
         Cannot find c.js
         Exit code: 2
      To retry: agent-daemon retry acme/shop#7, or comment /retry

      Started 2026-01-01 23:00:00 UTC, ended 2026-01-01 23:00:00 UTC
      3 model calls, 3 tool calls, 120 tokens, 1m 05s, cost 0.0050"
    `);
    expect(output).toMatch(
      /── 1 {2}2026-01-01 23:00:00 {2}system\n {3}You are an agent\.… \(1,?\d+ more characters/,
    );
    expect(output).not.toMatch(/Rule\.|\{"opening"|comment_detection/);
    expect((await run({ full: true })).output.split('Rule.')).toHaveLength(201);
    expect(JSON.parse((await run({ json: true })).output)).toMatchObject({
      failed_step: { step: 3, tool: 'run_command' },
      paused_by: null,
      held: [],
    });
  });

  it('shows the failed calls of tools alone where it is asked to', async () => {
    await keepFailed();
    const { output } = await run({ errors: true });
    expect(output.match(/^ {3}[▶✓✗] .*$/gm)).toEqual([
      '   ✗ 2026-01-01 23:00:00  read_file  1 ms  {"path":"a.js"}',
      '   ✗ 2026-01-01 23:00:00  run_command  1 ms  {"path":"c.js"}  (exit code 2)',
    ]);
    expect(output).toContain('\n   Cannot find c.js\n   Exit code: 2\n');
    expect(output).not.toContain('BEGIN TEXT');
    expect(output).not.toContain('── ');
    await open(3);
    expect((await run({ run: 'acme/shop#3', errors: true })).output).toContain('\nNo call of a tool failed.');
  });

  it('names who paused a run, since when, and how to resume it', async () => {
    await open(8);
    await store().pause('55550008-0000-4000-8000-000000000000', {
      lastError: null,
      planningState: { paused_by: 'bob' },
    });
    const { output } = await run({ run: 'acme/shop#8' });
    expect(output).toContain('\npaused by bob since 2026-01-01 23:00:00 UTC\n');
    expect(output).toContain('\nTo resume: agent-daemon resume acme/shop#8, or comment /resume\n');
  });

  it('lists held changes with what releases them, and their patches only in full', async () => {
    const { state } = await open(9);
    const item = { kind: 'path', path: 'ci.yml', rule: '*.yml', id: 'a', line: null, locked: null };
    const items = [{ ...item, number: 1, patch: `+ run: ${secret}`, state: 'held' }];
    const rest = { drafts: [], checks: null, paths: [], problem: null, until: null, comment: '' };
    await state.write('held.json', { items, ...rest });
    await store().pause('55550009-0000-4000-8000-000000000000', {
      lastError: null,
      planningState: { waits_for: { kind: 'held', id: 'held:1', until: null } },
    });
    const { output } = await run({ run: 'acme/shop#9' });
    expect(output).toContain('needs input, waiting for permission to push 1 held change since 2026-01-01');
    expect(output).toContain('   H1  ci.yml is protected (*.yml).  /allow H1\n');
    expect(output).toContain('comments on the issue or pull request, for example /allow H1.');
    expect(output).not.toContain('+ run:');
    expect((await run({ run: 'acme/shop#9', full: true })).output).toContain('+ run: [REDACTED]');
  });
});
