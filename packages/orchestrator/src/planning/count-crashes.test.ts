import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createReadOnlyTools, PrePlanningManager, type PrePlanningState } from '@agent/pre-planning';
import type { RunState } from '@agent/run-store';
import { createMemoryRunState, makeDirectory, openRunState } from '@agent/run-store/testing';
import { pino } from 'pino';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { noCost } from '../plan/metering.ts';
import { createPrePlanningFiles } from '../plan/pre-planning-files.ts';
import { countCrashes } from './count-crashes.ts';

const logger = pino({ level: 'silent' });
const source = { ask: () => Promise.reject(new Error('nothing is asked here')) };
const begun = new PrePlanningManager({ source, tools: createReadOnlyTools({}) }).getState();
const result = {
  info_id: 'a',
  status: 'failed' as const,
  collected_data: null,
  assumption_made: null,
  tool_calls_used: 1,
  timestamp: '',
};

let state: RunState;
beforeEach(() => {
  state = createMemoryRunState();
});

const count = (crashesInARow: number) => countCrashes({ crashesInARow, state, logger });
const keep = (change: Partial<PrePlanningState>) =>
  createPrePlanningFiles(state).save({
    knownComments: [],
    cost: noCost,
    state: { ...begun, ...change },
  });

describe('crashes of a run that pre-plans', () => {
  it('are not in a row where each process came further [RL-10]', async () => {
    const stages: readonly Partial<PrePlanningState>[] = [
      { collection_results: [result] },
      { collection_results: [result, { ...result, info_id: 'b' }] },
      { collection_results: [result, { ...result, info_id: 'b' }], assumption_count: 1 },
      {
        collection_results: [result],
        assumption_count: 1,
        information_gaps: [
          { info_id: 'c', description: '', impact: '', reason: '' },
          { info_id: 'd', description: '', impact: '', reason: '' },
        ],
      },
    ];
    for (const [index, stage] of stages.entries()) {
      await keep(stage);
      expect(await count(index + 1)).toBe(1);
      // Once more, after a pause.
      expect(await count(index + 1)).toBe(1);
    }
    expect([await count(5), await count(6)]).toEqual([2, 3]);
  });

  it('are in a row where none did, and where nothing is kept at all [RL-10]', async () => {
    expect([await count(1), await count(2), await count(3)]).toEqual([1, 2, 3]);
    await keep({ collection_results: [result] });
    expect([await count(4), await count(5), await count(6)]).toEqual([1, 2, 3]);
  });

  it('are counted anew once steps are completed, whatever was counted before [RL-10]', async () => {
    await keep({ collection_results: [result] });
    expect([await count(3), await count(4)]).toEqual([1, 2]);
    expect([await count(0), await count(1), await count(2), await count(3)]).toEqual([0, 1, 2, 3]);
  });

  it('all count where what is kept of them is torn [RL-10]', async () => {
    const { path, remove } = await makeDirectory();
    onTestFinished(remove);
    state = openRunState(path);
    await writeFile(join(path, 'pre_planning_crashes.json'), '{"progress":');
    expect(await count(3)).toBe(3);
  });
});
