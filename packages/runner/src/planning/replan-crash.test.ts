// @module-tag release
import { describe, expect, it } from 'vitest';
import { countLines, crashing, interrupted } from '../../test/crashing-journal.ts';
import { createContentPlanner, decidingTo, listFacts, revisionOf } from '../../test/plan-answers.ts';
import { planForTest, planOf } from '../../test/plan-setup.ts';
import { createTool } from '../../test/run-setup.ts';
import type { ModelPrompt } from '../../test/scripted-model.ts';
import { createMemoryRunJournal, type MemoryRunJournal } from '../index.ts';

/** Plan of a, bad and c, which rests on A1. */
function createPlan(): object {
  const plan = planOf('a', 'bad', 'c');
  const subtasks = plan.task_decomposition.subtasks.map((one) => ({
    ...one,
    rests_on: one.id === 'task_3' ? ['A1'] : [],
  }));
  return { ...plan, task_decomposition: { ...plan.task_decomposition, subtasks } };
}

const unsure = decidingTo({ confidence: 0.4, clarification_questions: ['Otherwise?'] });

/** The decision on `bad` after so many attempts. */
function decide(text: string, prompt: ModelPrompt): string {
  const attempts = prompt.filter(
    ({ role, content }) => role === 'tool' && JSON.stringify(content).includes('it is not there'),
  ).length;
  if (attempts <= 2) return decidingTo({ replan_type: 'retry' });
  return text.includes('were not answered in time') ? decidingTo({}) : unsure;
}

/** Answers from the prompt alone: a retry, then a question, then other actions. */
function createModel() {
  return createContentPlanner([], {
    planning: () => JSON.stringify(createPlan()),
    reflection: ({ text }, prompt) => decide(text, prompt),
    revision: ({ text }) => {
      const next = text.includes('People rejected A1') ? revisionOf('bad', 'd') : revisionOf('e');
      return JSON.stringify({ plan_revision: next });
    },
  });
}

/** Runs until it waits for nobody any more; people reject A1 once a is done, and never answer. */
async function runCourse(journal: MemoryRunJournal, work: ReturnType<typeof createTool>) {
  const asked = new Set<string>();
  let now = 0;
  const isDone = () => JSON.stringify(journal.entries).includes('"succeeded"');
  for (;;) {
    const { result } = await planForTest({
      model: createModel(),
      tools: { work },
      journal,
      now: () => now,
      planning: { reflection: { trigger_interval: 0 }, verification: { enabled: false } },
      people: {
        ask: async ({ id }) => void asked.add(id),
        readApproval: async () => ({ state: 'none' }),
        rejectedAssumptions: async () => (isDone() ? ['A1'] : []),
      },
    });
    if (result.kind !== 'ended' || result.outcome.status !== 'needs_input') return { result, asked };
    now += 31 * 60_000;
  }
}

const createWork = () =>
  createTool((text) => {
    if (text === 'bad') throw new Error('it is not there');
    return text;
  });

describe('a plan that is revised, retried, asked about and planned again', () => {
  it.each([true, false])(
    'comes to the same end with the same counts from every line of its journal (written: %s) [NX-119] [NX-120]',
    async (isWritten) => {
      const lines = await countLines((journal) => runCourse(journal, createWork()));
      expect(lines).toBeGreaterThan(50);
      for (let line = 1; line <= lines; line += 1) {
        const journal = createMemoryRunJournal();
        const work = createWork();
        await runCourse(crashing(journal, { line, isWritten }), work);
        const { result } = await runCourse(journal, work);
        expect({ line, result }).toMatchObject({ result: { outcome: { status: 'completed' } } });
        expect({ line, counts: result.planning.replanCounts }).toEqual({
          line,
          counts: {
            clarification: 1,
            total: 2,
            action_retry: 1,
            partial_replan: 1,
            'execution:retry': 1,
            'execution:partial_replan': 1,
          },
        });
        expect([...result.planning.tasks.keys()]).toEqual(['task_1', 'e']);
        expect(work.calls).not.toContain('c');
        expect(work.calls).not.toContain('d');
        expect(work.calls.length).toBeLessThanOrEqual(6 + interrupted(journal));
        const causes = listFacts(journal).flatMap((fact) => (fact.type === 'revision' ? [fact.cause] : []));
        expect({ line, causes }).toEqual({ line, causes: ['rejection', 'replan'] });
      }
    },
  );
});
