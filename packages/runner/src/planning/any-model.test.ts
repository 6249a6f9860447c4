// @module-tag full
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createContentPlanner,
  decidingTo,
  doAction,
  factsOf,
  reflectionText,
  revisionOf,
  wantingRevision,
} from '../../test/plan-answers.ts';
import { actionAnswer, planForTest, planOf } from '../../test/plan-setup.ts';
import { actionOf, verificationAnswer } from '../../test/plans.ts';
import { commentSaying, createTool, nothingNew } from '../../test/run-setup.ts';
import { createMemoryRunJournal } from '../index.ts';

const prose = 'Well.';
const types = [
  'retry',
  'partial_replan',
  'action_regeneration',
  'task_redecomposition',
  'goal_revision',
  'clarification_request',
  'none',
] as const;
const phases = ['goal_understanding', 'execution', 'reflection'] as const;

/** A model, a tool and people of which each word comes from a sequence of numbers. */
function createChance(numbers: readonly number[]) {
  let at = 0;
  const draw = (count: number): number => (numbers[at++ % numbers.length] ?? 0) % count;
  let named = 0;
  const name = () => `n${named++}`;
  const pick = (...options: readonly (() => string)[]): string => options[draw(options.length)]?.() ?? '';
  const decide = () =>
    decidingTo({
      replan_type: types[draw(types.length)] ?? 'none',
      target_phase: phases[draw(3)] ?? 'execution',
      confidence: draw(11) / 10,
    });
  const revise = () => JSON.stringify({ plan_revision: revisionOf(name(), name()) });
  const lacking = () =>
    JSON.stringify(
      verificationAnswer({
        verification_passed: draw(4) === 0,
        additional_work_needed: true,
        additional_actions: [actionOf('fix', { tool: 'work', parameters: { text: name() } })],
      }),
    );
  const model = createContentPlanner(['a', 'b', 'c'], {
    execution: (request) =>
      draw(6) === 0 ? actionAnswer(request.task ?? '', { met: false }) : doAction(request),
    reflection: () =>
      pick(
        reflectionText,
        () => wantingRevision(name(), name()),
        decide,
        decide,
        () => prose,
      ),
    revision: () =>
      pick(
        revise,
        revise,
        () => JSON.stringify(planOf(name(), name())),
        () => prose,
      ),
    verification: () =>
      pick(
        () => JSON.stringify(verificationAnswer()),
        lacking,
        lacking,
        () => prose,
      ),
  });
  const work = createTool((text) => {
    if (draw(2) === 0) throw new Error('not today');
    return text;
  });
  return { model, work, draw };
}

/** Runs until it ends, however often it waits for an answer that never comes. */
async function runToEnd(numbers: readonly number[]) {
  const { model, work, draw } = createChance(numbers);
  const journal = createMemoryRunJournal();
  let now = 0;
  let said = 0;
  for (;;) {
    const { result } = await planForTest({
      model,
      tools: { work },
      journal,
      now: () => now,
      limits: { maxSteps: 5000, maxToolFailures: null },
      planning: { reflection: { trigger_interval: 2 }, continue_on_error: draw(2) === 0 },
      people: {
        ask: async () => {},
        readApproval: async () => ({ state: 'none' }),
        rejectedAssumptions: async () => (draw(3) === 0 ? ['A1'] : []),
      },
      comments: {
        takeDelivery: async () =>
          draw(3) === 0 && said < 10 ? commentSaying(`Word ${said}.`, `c${said++}`) : nothingNew,
        markDelivered: () => undefined,
      },
    });
    if (result.kind !== 'ended' || result.outcome.status !== 'needs_input') return { result, journal };
    now += 31 * 60_000;
  }
}

describe('a plan', () => {
  it('ends within its limits, whatever model, tools and people do [NX-120]', async () => {
    const numbers = fc.array(fc.nat(1000), { minLength: 5, maxLength: 300 });
    await fc.assert(
      fc.asyncProperty(numbers, async (drawn) => {
        const { result, journal } = await runToEnd(drawn);
        expect(result).toMatchObject({ kind: 'ended' });
        if (result.kind !== 'ended') return;
        const hasFailed = [...result.planning.tasks.values()].some(({ state }) => state === 'failed');
        expect(['completed', 'partial', ...(hasFailed ? ['failed'] : [])]).toContain(result.outcome.status);
        expect(result.outcome.statistics.modelCalls).toBeLessThan(1000);
        const executed = factsOf(journal, 'replan_decision').filter((fact) => fact.executed);
        expect(executed.length).toBeLessThanOrEqual(10);
        const own = factsOf(journal, 'revision').filter(({ cause }) => cause === 'reflection');
        expect(own.length).toBeLessThanOrEqual(3);
        const isWhole = [...result.planning.tasks.values()].every(({ state }) => state === 'succeeded');
        const isPassed = result.planning.verifications.at(-1)?.verification_passed === true;
        if (result.outcome.status !== 'failed')
          expect(result.outcome.status).toBe(isWhole && isPassed ? 'completed' : 'partial');
      }),
      { numRuns: 40 },
    );
  });
});
