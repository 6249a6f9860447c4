import { describe, expect, it } from 'vitest';
import {
  createContentPlanner,
  factsOf,
  reflectionText,
  revisionOf,
  wantingRevision,
} from '../../test/plan-answers.ts';
import { type PlannedTestOptions, type PlannerScript, planForTest, planOf } from '../../test/plan-setup.ts';
import { commentSaying, createInbox, createTool, type Look, nothingNew } from '../../test/run-setup.ts';
import type { PlanningPeople } from './index.ts';

const planning = { reflection: { trigger_interval: 0 }, verification: { enabled: false } };

/** People who have rejected what a function says at the time. */
function rejecting(list: () => readonly string[]): PlanningPeople {
  return {
    ask: async () => {},
    readApproval: async () => ({ state: 'none' }),
    rejectedAssumptions: async () => list(),
  };
}

/** A plan of texts, some of whose subtasks rest on ids. */
function planResting(texts: readonly string[], rests: Readonly<Record<string, readonly string[]>>): object {
  const plan = planOf(...texts);
  const subtasks = plan.task_decomposition.subtasks.map((one) => ({
    ...one,
    rests_on: rests[one.id ?? ''] ?? [],
  }));
  return { ...plan, task_decomposition: { ...plan.task_decomposition, subtasks } };
}

async function run(
  plan: object,
  { script = {}, ...options }: Partial<PlannedTestOptions> & { readonly script?: PlannerScript },
) {
  const work = createTool((text) => text);
  const model = createContentPlanner([], { planning: () => JSON.stringify(plan), ...script });
  const planned = await planForTest({ model, tools: { work }, planning, ...options });
  return { ...planned, calls: work.calls, prompts: model.prompts };
}

describe('an assumption that people reject', () => {
  const plan = planResting(['a', 'b', 'c', 'd'], { task_3: ['A1'] });
  const revised = { revision: () => JSON.stringify({ plan_revision: revisionOf('x', 'y') }) };

  it('invalidates what rests on it before the next action, and the rest is planned anew [NX-119]', async () => {
    let rejected: readonly string[] = [];
    const work = createTool((text) => {
      if (text === 'b') rejected = ['A1'];
      return text;
    });
    const { journal, result, events } = await run(plan, {
      people: rejecting(() => rejected),
      tools: { work },
      script: revised,
    });
    expect(work.calls).toEqual(['a', 'b', 'x', 'y']);
    const invalid = factsOf(journal, 'action').filter(({ state }) => state === 'invalidated');
    expect(invalid).toMatchObject([
      { task_id: 'task_3', detail: 'It depends on what was rejected: A1.', evidence: ['A1'] },
      { task_id: 'task_4' },
    ]);
    expect(factsOf(journal, 'revision')).toMatchObject([{ cause: 'rejection' }]);
    expect(events).not.toContain('task_3 started (1)');
    expect(result).toMatchObject({ outcome: { status: 'completed' } });
    expect(result).not.toMatchObject({ outcome: { status: 'partial' } });
  });

  it('invalidates nothing where nothing rests on it', async () => {
    const { journal, calls } = await run(plan, { people: rejecting(() => ['A2']), script: revised });
    expect(calls).toEqual(['a', 'b', 'c', 'd']);
    expect(factsOf(journal, 'revision')).toEqual([]);
  });

  it('never lets an action of what rests on it run, not even where no other plan comes of it [NX-119]', async () => {
    const { journal, calls, result } = await run(plan, {
      people: rejecting(() => ['A1']),
      script: { revision: () => 'I would keep it.' },
    });
    expect(calls).toEqual(['a', 'b']);
    expect(factsOf(journal, 'revision_dropped')).toMatchObject([{ cause: 'rejection' }]);
    expect(result).toMatchObject({ outcome: { status: 'partial' } });
  });

  it('does not come back as it was: a step that rested on it has to change [NX-119]', async () => {
    const again = revisionOf('task_3', 'task_4');
    const [third, fourth] = planOf('a', 'b', 'c', 'd').action_plan.actions.slice(2);
    const same = {
      ...again,
      updated_action_plan: { ...again.updated_action_plan, actions: [third, fourth] },
    };
    const changed = { ...third, parameters: { text: 'c2' } };
    const other = {
      ...same,
      updated_action_plan: { ...same.updated_action_plan, actions: [changed, fourth] },
    };
    const requests: string[] = [];
    const { calls } = await run(plan, {
      people: rejecting(() => ['A1']),
      script: {
        revision: ({ after }) => {
          requests.push(...after.map(({ text }) => text));
          const isAgain = after.some(({ role }) => role === 'assistant');
          return JSON.stringify({ plan_revision: isAgain ? other : same });
        },
      },
    });
    expect(requests.join('\n')).toContain('"task_3" depends on what was rejected and is the same as before.');
    expect(calls).toEqual(['c2', 'd']);
  });

  it('ends an action in the middle that rests on it', async () => {
    let now = 0;
    let rejected: readonly string[] = [];
    const work = createTool((text) => {
      if (text === 'c') {
        rejected = ['A1'];
        now += 61_000;
      }
      return text;
    });
    const { journal } = await run(plan, {
      people: rejecting(() => rejected),
      tools: { work },
      now: () => now,
      script: revised,
    });
    const third = factsOf(journal, 'action').filter(({ task_id }) => task_id === 'task_3');
    expect(third.map(({ state }) => state)).toEqual(['started', 'invalidated']);
    expect(work.calls).toEqual(['a', 'b', 'c', 'x', 'y']);
  });

  it('tells of what was done on its ground already', async () => {
    let rejected: readonly string[] = [];
    const work = createTool((text) => {
      rejected = ['A1'];
      return text;
    });
    const requests: string[] = [];
    await run(planResting(['a', 'b'], { task_1: ['A1'] }), {
      people: rejecting(() => rejected),
      tools: { work },
      script: {
        revision: ({ text }) => {
          requests.push(text);
          return JSON.stringify({ plan_revision: revisionOf('x') });
        },
      },
    });
    expect(requests[0]).toContain('People rejected A1.');
    expect(requests[0]).toContain('Done already, but based on what was rejected: task_1.');
  });

  it('that cannot be asked about is asked about at the next checkpoint', async () => {
    let asked = 0;
    const people = rejecting(() => {
      asked += 1;
      if (asked % 2 === 1) throw new Error('no network');
      return ['A1'];
    });
    const { calls } = await run(plan, { people, script: revised });
    expect(calls).not.toContain('c');
    expect(calls).toContain('x');
  });
});

describe('a comment between two steps', () => {
  it('asks whether the plan holds, which the reflection has to say [NX-119]', async () => {
    const requests: string[] = [];
    const { journal, calls } = await run(planOf('a', 'b', 'c'), {
      comments: createInbox([nothingNew, nothingNew, nothingNew, commentSaying('Leave c out.', 'c1')]),
      script: {
        reflection: ({ text }) => {
          requests.push(text);
          return wantingRevision('b2');
        },
      },
    });
    expect(requests).toHaveLength(1);
    expect(requests[0]).toContain('People have said something since the plan was made');
    expect(factsOf(journal, 'reflection').map(({ trigger }) => trigger)).toEqual(['comment']);
    expect(factsOf(journal, 'revision').map(({ cause }) => cause)).toEqual(['comment']);
    expect(calls).toEqual(['a', 'b2']);
  });

  it('counts toward no limit of the model, and leaves it what it has [NX-120]', async () => {
    const { journal } = await run(planOf('a', 'b'), {
      comments: createInbox([nothingNew, commentSaying('Otherwise.', 'c1')]),
      planning: { ...planning, reflection: { trigger_interval: 1 }, revision: { max_revisions: 1 } },
      script: {
        reflection: ({ text }) => {
          if (text.includes('People have said')) return wantingRevision('x', 'y');
          return wantingRevision(text.includes('- z (done)') ? 'w' : 'z');
        },
      },
    });
    expect(factsOf(journal, 'revision').map(({ cause }) => cause)).toEqual(['comment', 'reflection']);
  });

  it('at every checkpoint ends all the same, and each is in view of what comes next [NX-120]', async () => {
    const looks = Array.from(
      { length: 200 },
      (_, index): Look => commentSaying(`Word ${index}.`, `c${index}`),
    );
    const inbox = createInbox(looks);
    const { result, calls, journal } = await run(planOf('a', 'b', 'c'), {
      comments: inbox,
      planning: { reflection: { trigger_interval: 1 } },
      script: { reflection: () => reflectionText() },
    });
    expect(calls).toEqual(['a', 'b', 'c']);
    expect(result).toMatchObject({ kind: 'ended', outcome: { status: 'completed' } });
    expect(inbox.delivered.length).toBeLessThan(60);
    expect(factsOf(journal, 'reflection').length).toBeLessThanOrEqual(3 * 5);
  });

  it('before a revision has it thought over, and the newer one counts', async () => {
    const inbox = createInbox([
      nothingNew,
      nothingNew,
      nothingNew,
      nothingNew,
      commentSaying('Rather z.', 'c1'),
    ]);
    const { calls, journal } = await run(planOf('a', 'b'), {
      comments: inbox,
      planning: { reflection: { trigger_interval: 1 }, verification: { enabled: false } },
      script: {
        reflection: ({ text }) => {
          if (text.includes('People have said')) return wantingRevision('z');
          return text.includes('- z (done)') ? reflectionText() : wantingRevision('x');
        },
      },
    });
    expect(calls).toEqual(['a', 'z']);
    expect(factsOf(journal, 'revision').map(({ cause }) => cause)).toEqual(['comment']);
  });
});
