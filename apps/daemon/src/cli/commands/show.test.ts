import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createPrePlanningFiles, noCost } from '@agent/orchestrator';
import { createReadOnlyTools, PrePlanningManager } from '@agent/pre-planning';
import { openRunState } from '@agent/run-store/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '../../../test/support/command.ts';
import { type KeptRuns, makeKeptRuns } from '../../../test/support/kept-runs.ts';
import { showCommand } from './show.ts';

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
