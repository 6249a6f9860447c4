import { describe, expect, it } from 'vitest';
import { createLog } from '../../../test/log.ts';
import { factsOf } from '../../../test/plan-answers.ts';
import {
  createPlanner,
  type findRequest,
  type PlannedTestOptions,
  planForTest,
  planOf,
} from '../../../test/plan-setup.ts';
import { commentSaying, createInbox, createTool } from '../../../test/run-setup.ts';
import { createMemoryRunJournal } from '../../index.ts';
import type { PeopleQuestion } from '../ports.ts';

const start = Date.parse('2026-03-01T10:00:00Z');
const unclear = JSON.stringify({
  phase: 'planning',
  error: {
    type: 'unclear_goal',
    message: 'Which one?',
    clarification_needed: ['Which file?', 'Which year?'],
  },
});

/** A run whose goal is unclear until the prompt holds an answer, or the model is told that no one can be asked. */
function setUp() {
  const asked: PeopleQuestion[] = [];
  const requests: string[] = [];
  const journal = createMemoryRunJournal();
  const model = createPlanner(planOf('a', 'b'), {
    planning: ({ text, after }: ReturnType<typeof findRequest>) => {
      requests.push(text);
      const isClear = text.includes('Do not ask back') || requests.length > 1 || after.length > 0;
      return isClear ? JSON.stringify(planOf('a', 'b')) : unclear;
    },
  });
  const people = {
    ask: async (question: PeopleQuestion) => void asked.push(question),
    readApproval: async () => ({ state: 'none' as const }),
    rejectedAssumptions: async () => [],
  };
  const run = (minutes: number, options: Partial<PlannedTestOptions> = {}) =>
    planForTest({
      ...{ model, journal, people, tools: { work: createTool((text) => text) } },
      planning: { verification: { enabled: false }, reflection: { enabled: false } },
      now: () => start + minutes * 60_000,
      ...options,
    });
  return { run, asked, requests, journal, model, people };
}

const until = '2026-03-01T10:30:00.000Z';

describe('an unclear goal', () => {
  it('is asked about on the thread, and the run waits without asking the model again [NX-134, NX-124]', async () => {
    const { run, asked, model } = setUp();
    const waiting = {
      outcome: { status: 'needs_input', waitsFor: { kind: 'answer', id: 'question-1', until } },
    };
    expect((await run(0)).result).toMatchObject(waiting);
    expect((await run(29)).result).toMatchObject(waiting);
    expect(model.prompts).toHaveLength(1);
    expect(asked).toEqual(
      Array(2).fill({
        kind: 'answer',
        id: 'question-1',
        questions: ['Which file?', 'Which year?'],
        assumptions: [],
        until,
      }),
    );
  });

  it('goes on with the first thing that people say, once it is delivered', async () => {
    const { run, journal, model } = setUp();
    await run(0);
    const { result } = await run(1, { comments: createInbox([commentSaying('The blue one.', 'c1')]) });
    expect(result).toMatchObject({ outcome: { status: 'completed' } });
    expect(factsOf(journal, 'answered')).toMatchObject([{ id: 'question-1', how: 'comment' }]);
    expect(JSON.stringify(model.prompts[1])).toContain('The blue one.');
  });

  it('goes on by open assumptions once nobody has answered in time [NX-134]', async () => {
    const { run, journal, requests } = setUp();
    await run(0);
    const { result } = await run(30);
    expect(result).toMatchObject({ outcome: { status: 'completed' } });
    expect(factsOf(journal, 'answered')).toMatchObject([{ how: 'assumed' }]);
    expect(requests[1]).toContain('These questions were not answered in time');
  });

  it('waits without end where no assumption may be made', async () => {
    const { run } = setUp();
    const planning = { replanning: { goal_understanding: { auto_assume_on_no_response: false } } };
    const { result } = await run(0, { planning });
    expect(result).toMatchObject({ outcome: { waitsFor: { until: null } } });
    expect((await run(100_000, { planning })).result).toMatchObject({ outcome: { status: 'needs_input' } });
  });

  it('is asked about when the run goes on, where it could not be asked', async () => {
    const { run, asked, people } = setUp();
    const { logger, lines } = createLog();
    const silent = { ...people, ask: async () => Promise.reject(new Error('503')) };
    expect((await run(0, { people: silent, logger })).result).toMatchObject({
      outcome: { status: 'needs_input' },
    });
    expect(lines.map(({ message }) => message)).toContain(
      'failed to post question; retrying when run resumes',
    );
    await run(1);
    expect(asked).toHaveLength(1);
  });

  it('is not asked about where nobody can be: the model is told to assume', async () => {
    const { run, journal, requests } = setUp();
    expect((await run(0, { people: null })).result).toMatchObject({ outcome: { status: 'completed' } });
    expect(requests[0]).toContain('Do not ask back');
    expect(factsOf(journal, 'question')).toEqual([]);
  });

  it('is asked about twice at most, then the plan has to be made with what is known [NX-134]', async () => {
    const { run, journal } = setUp();
    let asked = 0;
    const model = createPlanner(planOf('a', 'b'), {
      planning: ({ text, after }) => {
        asked += 1;
        return text.includes('Do not ask back') && after.length > 0
          ? JSON.stringify(planOf('a', 'b'))
          : unclear;
      },
    });
    for (const minutes of [0, 30])
      expect((await run(minutes, { model })).result).toMatchObject({ outcome: { status: 'needs_input' } });
    expect((await run(60, { model })).result).toMatchObject({ outcome: { status: 'completed' } });
    expect(factsOf(journal, 'question').map(({ id }) => id)).toEqual(['question-1', 'question-2']);
    expect(asked).toBe(4);
  });
});
