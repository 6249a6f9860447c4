// @module-tag full
import { describe, expect, it } from 'vitest';
import { brokenPlans } from '../../test/broken-plans/index.ts';
import { findRequest, planForTest } from '../../test/plan-setup.ts';
import { createTool } from '../../test/run-setup.ts';
import { planTools } from '../../test/sample-plan.ts';
import { createScriptedModel, type ModelPrompt } from '../../test/scripted-model.ts';
import type { PlannedTaskResult } from './ports.ts';

const finalText = 'I did what I could, and say so.';

/** A model that gives the same broken plan each time, and calls everything done that it is asked to do. */
const createStubborn = (plan: string) =>
  createScriptedModel((prompt: ModelPrompt) => {
    const { phase, text } = findRequest(prompt);
    if (phase === 'planning') return plan;
    if (phase === 'execution') {
      return '{"phase":"execution","current_task":"task_1","expected_outcome_met":true,"evidence":"done"}';
    }
    return text.includes('"completion"') ? '{"phase":"completion","done":true,"summary":{}}' : finalText;
  });

/** End of a run that says what became of it. */
function describeEnd({ outcome, planning }: Extract<PlannedTaskResult, { readonly kind: 'ended' }>): string {
  if (planning.plan !== null) return `${outcome.status} by a plan`;
  return `${outcome.status} without a plan: ${planning.loopMode}`;
}

const ends: Readonly<Record<(typeof brokenPlans)[number]['expected'], readonly string[]>> = {
  bad: ['completed without a plan: bad_plan'],
  'unclear-goal': ['completed without a plan: bad_plan'],
  // What is read alone may be empty to a run: thoughts that never end.
  readable: [
    'failed by a plan',
    'completed without a plan: one_action',
    'completed without a plan: bad_plan',
  ],
  any: ['completed without a plan: bad_plan', 'failed by a plan'],
};

describe('a run whose model gives the same broken plan each time, and does nothing', () => {
  it('ends typed and honest: without a plan, or failed where there was one [NX-116]', async () => {
    for (const { name, text, expected } of brokenPlans) {
      const tools = Object.fromEntries(planTools.map((tool) => [tool, createTool(() => 'ok')]));
      const { result } = await planForTest({ model: createStubborn(text), tools });
      expect(result.kind, name).toBe('ended');
      if (result.kind !== 'ended') continue;
      const { status, reason, finalText: last } = result.outcome;
      // Tools are called as tools: the third call that is written as text ends the run.
      const isCall = /^a (?:call (?:as JSON|in tags)|tag of a call)$/.test(name);
      const possible = isCall ? ['failed without a plan: null'] : ends[expected];
      expect(possible, name).toContain(describeEnd(result));
      expect(status === 'completed' ? last : typeof reason, name).toBe(
        status === 'completed' ? finalText : 'string',
      );
    }
  });
});
