import { describe, expect, it } from 'vitest';
import {
  createContentPlanner,
  decidingTo,
  factsOf,
  listFacts,
  reflectionText,
  revisionOf,
  wantingRevision,
} from '../../../test/plan-answers.ts';
import {
  type PlannedTestOptions,
  type PlannerScript,
  planForTest,
  planOf,
} from '../../../test/plan-setup.ts';
import { replanDecision } from '../../../test/plans.ts';
import { createTool } from '../../../test/run-setup.ts';
import type { PeopleQuestion, PlanningPeople } from '../index.ts';

/** A run of the actions `a` and `bad`, the second of which fails as often as it is called. */
async function runFailing(
  reflection: PlannerScript['reflection'],
  options: Partial<PlannedTestOptions> & { readonly script?: PlannerScript } = {},
) {
  const { script = {}, ...rest } = options;
  const work = createTool((text) => {
    if (text === 'bad') throw new Error('it is not there');
    return text;
  });
  const model = createContentPlanner(['a', 'bad'], { ...(reflection ? { reflection } : {}), ...script });
  const planning = {
    reflection: { trigger_interval: 0 },
    verification: { enabled: false },
    ...rest.planning,
  };
  const run = await planForTest({ model, tools: { work }, ...rest, planning });
  return { ...run, calls: work.calls };
}

/** Answers the first request with the first, and every later one with the last. */
function inTurn(...answers: readonly string[]): () => string {
  let asked = 0;
  return () => answers[Math.min(asked++, answers.length - 1)] ?? '';
}

function createPeople(): PlanningPeople & { readonly asked: PeopleQuestion[] } {
  const asked: PeopleQuestion[] = [];
  return {
    asked,
    ask: async (question) => void asked.push(question),
    readApproval: async () => ({ state: 'none' }),
    rejectedAssumptions: async () => [],
  };
}

const nothing = decidingTo({ replan_needed: false, replan_type: 'none' });

describe('an action that failed with its fallback too', () => {
  it('is judged in one answer that holds reflection and decision, and is never checked off', async () => {
    const { journal, result, calls } = await runFailing(() => nothing);
    expect(calls).toEqual(['a', 'bad', 'bad']);
    expect(listFacts(journal).map(({ type }) => type)).toEqual(
      [
        ...['phase', 'plan', 'phase', 'action', 'action', 'action', 'action', 'action', 'action'],
        ...['phase', 'reflection', 'replan_decision', 'phase', 'completion'],
      ].slice(1),
    );
    expect(result).toMatchObject({
      outcome: { status: 'failed' },
      planning: { completion: { summary: { goal_achieved: false, tasks_completed: 1, tasks_failed: 1 } } },
    });
  });

  it.each([
    [
      'that cannot be read',
      reflectionText({ replan_decision: { confidence: 1 } }),
      'the decision could not be read',
    ],
    ['that is missing', reflectionText(), 'the decision could not be read'],
    ['in prose', 'Try again!', 'the decision could not be read'],
    ['below 0.3', decidingTo({ confidence: 0.29 }), 'confidence 0.29 is too low'],
  ])('stays failed by a decision %s', async (_, answer, override_reason) => {
    const { journal, result } = await runFailing(() => answer);
    expect(factsOf(journal, 'replan_decision')).toMatchObject([
      { executed: false, override_reason, next: 'none' },
    ]);
    expect(result).toMatchObject({ outcome: { status: 'failed' } });
  });

  it('is left behind where the plan goes on despite errors, with all that depends on it', async () => {
    const plan = planOf('bad', 'b', 'c');
    const { subtasks } = plan.task_decomposition;
    const loose = {
      ...plan,
      task_decomposition: {
        reasoning: '',
        subtasks: subtasks.map((one) => ({ ...one, dependencies: one.id === 'task_2' ? ['task_1'] : [] })),
      },
    };
    const { result, calls } = await runFailing(() => nothing, {
      planning: {
        continue_on_error: true,
        reflection: { trigger_interval: 0 },
        verification: { enabled: false },
      },
      script: { planning: () => JSON.stringify(loose) },
    });
    expect(calls).toEqual(['bad', 'bad', 'c']);
    expect(result).toMatchObject({
      outcome: { status: 'partial' },
      planning: { completion: { summary: { goal_achieved: false, tasks_completed: 1, tasks_failed: 1 } } },
    });
  });

  it('is done again by a retry, twice at most for the same trigger [NX-120]', async () => {
    const { journal, calls, result } = await runFailing(() => decidingTo({ replan_type: 'retry' }));
    expect(calls.filter((text) => text === 'bad')).toHaveLength(6);
    expect(factsOf(journal, 'replan_decision').map(({ next }) => next)).toEqual([
      'retry',
      'retry',
      'reconsider',
      'none',
    ]);
    expect(factsOf(journal, 'replan_decision').at(-1)).toMatchObject({
      override_reason: 'global.same_trigger_max_count (2) is reached',
      replan_counts: { total: 2, action_retry: 2, 'execution:retry': 2 },
    });
    expect(result).toMatchObject({ outcome: { status: 'failed' } });
  });

  it.each(['partial_replan', 'action_regeneration', 'plan_revision'] as const)(
    'gives way to other actions by %s; what is done keeps its check [NX-119]',
    async (replan_type) => {
      const { journal, calls, result } = await runFailing(() => decidingTo({ replan_type }), {
        script: { revision: () => JSON.stringify({ plan_revision: revisionOf('x', 'y') }) },
      });
      expect(calls).toEqual(['a', 'bad', 'bad', 'x', 'y']);
      expect(factsOf(journal, 'revision')).toMatchObject([{ cause: 'replan' }]);
      expect(factsOf(journal, 'replan_decision')).toMatchObject([{ replan_counts: { total: 1 } }]);
      expect([...result.planning.tasks.keys()]).toEqual(['task_1', 'x', 'y']);
      expect(result).toMatchObject({ outcome: { status: 'completed' } });
    },
  );

  it('is revised by what the answer holds already, without another request', async () => {
    const answer = decidingTo({}, JSON.parse(wantingRevision('x')));
    const { model, ...rest } = { model: null, ...(await runFailing(() => answer)) };
    expect(rest.calls).toEqual(['a', 'bad', 'bad', 'x']);
    expect(rest.events.filter((event) => event === 'before_revision: go')).toHaveLength(1);
  });

  it.each([
    ['task_redecomposition', 'Mend it.'],
    ['goal_revision', 'Say it otherwise.'],
  ] as const)('gives way to a new plan by %s, in which nothing is checked', async (replan_type, goal) => {
    const anew = planOf('n1', 'n2');
    const plan = {
      ...anew,
      goal_understanding: { ...anew.goal_understanding, main_objective: 'Say it otherwise.' },
    };
    const { calls, result } = await runFailing(() => decidingTo({ replan_type }), {
      script: { revision: () => JSON.stringify(plan) },
    });
    expect(calls).toEqual(['a', 'bad', 'bad', 'n1', 'n2']);
    expect(result.planning.plan?.goal_understanding.main_objective).toBe(goal);
    expect(result).toMatchObject({ outcome: { status: 'completed' } });
  });

  it('gives way to what the reflection itself wants, where the decision cannot be read', async () => {
    const { calls, journal } = await runFailing(() => wantingRevision('x'));
    expect(calls).toEqual(['a', 'bad', 'bad', 'x']);
    expect(factsOf(journal, 'revision')).toMatchObject([{ cause: 'reflection' }]);
  });

  it('is not revised by what an earlier reflection wanted', async () => {
    const { calls, journal } = await runFailing(
      ({ text }) =>
        text.includes('failed 2 times')
          ? JSON.stringify({ replan_decision: replanDecision() })
          : wantingRevision('old'),
      {
        planning: {
          reflection: { trigger_interval: 1 },
          revision: { max_revisions: 0 },
          verification: { enabled: false },
        },
        script: { revision: () => JSON.stringify({ plan_revision: revisionOf('new') }) },
      },
    );
    expect(factsOf(journal, 'revision_dropped')).not.toEqual([]);
    expect(calls.at(-1)).toBe('new');
    expect(calls).not.toContain('old');
  });

  it('with a goal that is always found anew ends, since the total is never given back [NX-120]', async () => {
    const phases = [
      'goal_understanding',
      'task_decomposition',
      'action_sequence',
      'execution',
      'reflection',
    ] as const;
    let asked = 0;
    const { journal, result } = await runFailing(
      () => decidingTo({ replan_type: 'goal_revision', target_phase: phases[asked++ % 5] ?? 'execution' }),
      { script: { revision: () => JSON.stringify(planOf('bad', 'b')) }, limits: { maxSteps: 1000 } },
    );
    const executed = factsOf(journal, 'replan_decision').filter((fact) => fact.executed);
    expect(executed).toHaveLength(10);
    expect(factsOf(journal, 'replan_decision').at(-1)).toMatchObject({
      override_reason: 'global.max_total_replans (10) is reached',
      replan_counts: { total: 10 },
    });
    expect(result).toMatchObject({ outcome: { status: 'failed' } });
  });

  it('asks the model for another way at a limit, which names it', async () => {
    const texts: string[] = [];
    const answer = inTurn(
      decidingTo({ replan_type: 'retry' }),
      decidingTo({ replan_type: 'retry' }),
      decidingTo({ replan_type: 'retry' }),
      decidingTo({ replan_type: 'partial_replan' }),
    );
    const { calls } = await runFailing(
      ({ text }) => {
        texts.push(text);
        return answer();
      },
      { script: { revision: () => JSON.stringify({ plan_revision: revisionOf('x') }) } },
    );
    expect(texts.at(-1)).toContain(
      'Your last decision (retry) was not applied: global.same_trigger_max_count (2) is reached.',
    );
    expect(calls.at(-1)).toBe('x');
  });
});

describe('people who can be asked', () => {
  const unsure = decidingTo({ confidence: 0.4, clarification_questions: ['Shall I write it anew?'] });
  const revision = { revision: () => JSON.stringify({ plan_revision: revisionOf('x') }) };

  it('are asked about a decision that is not sure, and the run waits', async () => {
    const people = createPeople();
    const { result, journal } = await runFailing(() => unsure, { people });
    expect(result).toMatchObject({ outcome: { status: 'needs_input' } });
    expect(people.asked).toMatchObject([{ kind: 'answer', questions: ['Shall I write it anew?'] }]);
    expect(factsOf(journal, 'replan_decision')).toMatchObject([
      {
        executed: false,
        override_reason: 'confidence 0.4 needs confirmation by a person',
        next: 'reconsider',
      },
    ]);
  });

  it('make it sure by an answer, after which it is carried out', async () => {
    const people = createPeople();
    const first = await runFailing(() => unsure, { people });
    const said = {
      status: 'checked',
      delivery: { text: 'Yes, anew.', receipt: { delivers: [{ id: 'c1', revision: '1', kind: 'added' }] } },
    } as const;
    let isSaid = false;
    const comments = {
      takeDelivery: async () => (isSaid ? { status: 'checked' as const, delivery: null } : said),
      markDelivered: () => {
        isSaid = true;
      },
    };
    const { calls, result, journal } = await runFailing(() => unsure, {
      people,
      journal: first.journal,
      comments,
      script: revision,
    });
    expect(calls).toEqual(['x']);
    // The answer to a question is considered with the decision, without a reflection of its own.
    expect(factsOf(journal, 'reflection').map(({ trigger }) => trigger)).toEqual(['error', 'error']);
    expect(factsOf(journal, 'replan_decision').at(-1)).toMatchObject({ executed: true, next: 'revise' });
    expect(result).toMatchObject({ outcome: { status: 'completed' } });
  });

  it('are asked once where the model finds no way within its limits', async () => {
    const people = createPeople();
    const clock = { now: 0 };
    const again = { people, now: () => clock.now, limits: { maxSteps: 1000 } };
    const { journal } = await runFailing(() => decidingTo({ replan_type: 'retry' }), again);
    clock.now += 31 * 60_000;
    const last = await runFailing(() => decidingTo({ replan_type: 'retry' }), { ...again, journal });
    expect(people.asked).toHaveLength(1);
    expect(factsOf(journal, 'replan_decision').map(({ next }) => next)).toEqual([
      ...['retry', 'retry', 'reconsider', 'reconsider', 'none'],
    ]);
    expect(last.result).toMatchObject({ outcome: { status: 'failed' } });
  });

  it('who say nothing in time are not asked for ever', async () => {
    const people = createPeople();
    let now = 0;
    let journal = (await runFailing(() => unsure, { people, now: () => now })).journal;
    for (let turn = 0; turn < 4; turn += 1) {
      now += 31 * 60_000;
      ({ journal } = await runFailing(() => unsure, { people, journal, now: () => now }));
    }
    const last = await runFailing(() => unsure, { people, journal, now: () => now });
    expect(new Set(people.asked.map(({ id }) => id)).size).toBe(2);
    expect(last.result).toMatchObject({ outcome: { status: 'failed' } });
  });
});
