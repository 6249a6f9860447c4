// @module-tag full
import { describe, expect, it } from 'vitest';
import { countLines, crashing, interrupted } from '../../test/crashing-journal.ts';
import { listFacts } from '../../test/plan-answers.ts';
import { courseCalls, coursePlanning, createCoursePlanner } from '../../test/plan-course.ts';
import { planForTest } from '../../test/plan-setup.ts';
import { commentSaying, createTool, nothingNew } from '../../test/run-setup.ts';
import { createMemoryRunJournal, type MemoryRunJournal } from '../index.ts';

/** A course in which somebody speaks once the first action is done; what the journal says was delivered is no news. */
async function runCourse(journal: MemoryRunJournal, work: ReturnType<typeof createTool>) {
  const isDue = () => journal.entries.some((entry) => JSON.stringify(entry).includes('"succeeded"'));
  const isTold = () => journal.entries.some((entry) => JSON.stringify(entry).includes('In euros!'));
  const { result } = await planForTest({
    model: createCoursePlanner(),
    tools: { work },
    journal,
    planning: coursePlanning,
    comments: {
      takeDelivery: async () => (isDue() && !isTold() ? commentSaying('In euros!', 'c1') : nothingNew),
      markDelivered: () => undefined,
    },
  });
  return result;
}

/** Ends of attempts that no line before them began, and beginnings of what had begun. */
function listWrongAttempts(journal: MemoryRunJournal): readonly string[] {
  const begun = new Set<string>();
  const wrong: string[] = [];
  for (const fact of listFacts(journal)) {
    if (fact.type !== 'action' || fact.state === 'invalidated') continue;
    const name = `${fact.task_id} ${fact.attempt}`;
    if (begun.has(name) === (fact.state === 'started')) wrong.push(`${name} ${fact.state}`);
    begun.add(name);
  }
  return wrong;
}

describe('a plan whose process dies', () => {
  it.each([true, false])(
    'goes on from every line of its journal to the same end: no action is begun twice unless its call was interrupted (written: %s) [NX-131] [NX-135]',
    async (isWritten) => {
      const lines = await countLines((journal) =>
        runCourse(
          journal,
          createTool((text) => text),
        ),
      );
      expect(lines).toBeGreaterThan(50);
      for (let line = 1; line <= lines; line += 1) {
        const journal = createMemoryRunJournal();
        const work = createTool((text) => text);
        await runCourse(crashing(journal, { line, isWritten }), work);
        const result = await runCourse(journal, work);
        expect({ line, result }).toMatchObject({
          result: { outcome: { status: 'completed', finalText: 'All is done.' } },
        });
        expect(new Set(work.calls)).toEqual(new Set(courseCalls));
        expect(work.calls.length).toBeLessThanOrEqual(courseCalls.length + interrupted(journal));
        expect(listWrongAttempts(journal)).toEqual([]);
        const plans = listFacts(journal).filter(({ type }) => type === 'plan' || type === 'revision');
        expect(plans).toHaveLength(3);
        expect(journal.entries.filter((entry) => JSON.stringify(entry).includes('In euros!'))).toHaveLength(
          1,
        );
      }
    },
  );
});
