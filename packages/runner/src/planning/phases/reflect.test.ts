import { describe, expect, it } from 'vitest';
import {
  createContentPlanner,
  factsOf,
  reflectionText,
  revisionOf,
  wantingRevision,
} from '../../../test/plan-answers.ts';
import { type PlannedTestOptions, planForTest } from '../../../test/plan-setup.ts';
import { createTool } from '../../../test/run-setup.ts';

const interval = (trigger_interval: number): PlannedTestOptions['planning'] => ({
  reflection: { trigger_interval },
  verification: { enabled: false },
});

async function runSix(trigger_interval: number) {
  const model = createContentPlanner(['a', 'b', 'c', 'd', 'e', 'f']);
  return planForTest({
    model,
    tools: { work: createTool((text) => text) },
    planning: interval(trigger_interval),
  });
}

describe('a reflection', () => {
  it('comes after every third action, and after none where the interval is 0', async () => {
    const { journal, result } = await runSix(3);
    expect(result).toMatchObject({ outcome: { status: 'completed' } });
    expect(factsOf(journal, 'reflection').map(({ trigger }) => trigger)).toEqual(['interval', 'interval']);
    expect(factsOf((await runSix(0)).journal, 'reflection')).toEqual([]);
  });

  it('revises the plan by what stands nested in it, and what is done keeps its check [NX-119]', async () => {
    let asked = 0;
    const work = createTool((text) => text);
    const { result, journal, events } = await planForTest({
      model: createContentPlanner(['a', 'b', 'c'], {
        reflection: () => (asked++ === 0 ? wantingRevision('x', 'y') : reflectionText()),
      }),
      tools: { work },
      planning: interval(1),
    });
    expect(work.calls).toEqual(['a', 'x', 'y']);
    expect(result).toMatchObject({ outcome: { status: 'completed' }, planning: { revisions: 1 } });
    expect(factsOf(journal, 'revision')).toMatchObject([
      { number: 1, reason: 'another way', cause: 'reflection' },
    ]);
    const order = ['before_reflection: go', '= reflection', 'before_revision: go', '= revision', 'revision'];
    expect(events.filter((event) => order.includes(event)).slice(0, 5)).toEqual(order);
  });

  it('that wants another plan without writing one is asked for it, with what was wrong', async () => {
    const texts: string[] = [];
    const answers = [
      'no JSON at all',
      JSON.stringify({ plan_revision: revisionOf('task_1') }),
      '{"plan_revision":{}}',
    ];
    const { journal, result } = await planForTest({
      model: createContentPlanner(['a', 'b'], {
        reflection: () => reflectionText({ reflection: { plan_revision_needed: true, reasoning: 'no' } }),
        revision: ({ after, text }) => {
          texts.push(text, ...after.map((message) => message.text));
          return answers[after.filter(({ role }) => role === 'assistant').length] ?? '';
        },
      }),
      tools: { work: createTool((text) => text) },
      planning: interval(1),
    });
    expect(texts.join('\n')).toContain('"task_1" is done and cannot be changed.');
    expect(factsOf(journal, 'revision_dropped')[0]).toMatchObject({ cause: 'reflection' });
    expect(result).toMatchObject({ outcome: { status: 'completed' } });
  });

  it('that always wants a new plan ends: revisions have a limit, and the run goes on with the plan it has [NX-119] [NX-120]', async () => {
    let asked = 0;
    const work = createTool((text) => text);
    const { journal, result } = await planForTest({
      model: createContentPlanner(['a', 'b'], {
        reflection: () => wantingRevision(`new${asked++}`, 'rest'),
      }),
      tools: { work },
      planning: interval(1),
    });
    expect(factsOf(journal, 'revision').map(({ cause }) => cause)).toEqual(Array(3).fill('reflection'));
    expect(factsOf(journal, 'revision_dropped')[0]).toMatchObject({
      cause: 'reflection',
      reasons: ['revision.max_revisions (3) is reached'],
    });
    expect(work.calls).toEqual(['a', 'new0', 'new1', 'new2', 'rest']);
    expect(result).toMatchObject({ outcome: { status: 'completed' } });
  });

  it('that cannot be read leaves the plan as it is, and says so', async () => {
    const { journal, result } = await planForTest({
      model: createContentPlanner(['a', 'b'], { reflection: () => 'I like it.' }),
      tools: { work: createTool((text) => text) },
      planning: interval(2),
    });
    expect(factsOf(journal, 'reflection')).toMatchObject([
      { evaluation: { reflection: { evaluation: 'The reflection could not be read.' } } },
    ]);
    expect(result).toMatchObject({ outcome: { status: 'completed' }, planning: { revisions: 0 } });
  });

  it('on an error saves a plan where replanning is off', async () => {
    const work = createTool((text) => {
      if (text === 'a') throw new Error('no such thing');
      return text;
    });
    const { journal, result } = await planForTest({
      model: createContentPlanner(['a', 'b'], { reflection: () => wantingRevision('x', 'y') }),
      tools: { work },
      planning: { ...interval(0), replanning: { enabled: false } },
    });
    expect(factsOf(journal, 'reflection').map(({ trigger }) => trigger)).toEqual(['error']);
    expect(result).toMatchObject({ outcome: { status: 'completed' } });
  });
});
