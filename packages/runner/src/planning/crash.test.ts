import { describe, expect, it } from 'vitest';
import { listFacts } from '../../test/plan-answers.ts';
import { courseCalls, coursePlanning, createCoursePlanner } from '../../test/plan-course.ts';
import { planForTest } from '../../test/plan-setup.ts';
import { commentSaying, createTool, nothingNew } from '../../test/run-setup.ts';
import { createMemoryRunJournal, type MemoryRunJournal } from '../index.ts';

interface Crash {
  /** Number of the line at which the process dies, from 1. */
  readonly line: number;
  /** True where the line was written. */
  readonly isWritten: boolean;
}

/** A journal whose process dies at a line: from then on nothing is written. */
function crashing(journal: MemoryRunJournal, { line, isWritten }: Crash): MemoryRunJournal {
  let lines = 0;
  return {
    ...journal,
    append: async (event) => {
      lines += 1;
      if (lines > line || (lines === line && !isWritten)) throw new Error('killed');
      const seq = await journal.append(event);
      if (lines === line) throw new Error('killed');
      return seq;
    },
  };
}

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

async function countLines(): Promise<number> {
  let lines = 0;
  const journal = createMemoryRunJournal();
  const counting = {
    ...journal,
    append: (event: Parameters<typeof journal.append>[0]) => {
      lines += 1;
      return journal.append(event);
    },
  };
  await runCourse(
    counting,
    createTool((text) => text),
  );
  return lines;
}

const interrupted = (journal: MemoryRunJournal) =>
  journal.entries.filter((entry) => JSON.stringify(entry).includes('interrupted; its effect is unknown'))
    .length;

describe('a plan whose process dies', () => {
  it.each([true, false])(
    'goes on from every line of its journal to the same end: no action is begun twice unless its call was interrupted (written: %s)',
    async (isWritten) => {
      const lines = await countLines();
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
        const plans = listFacts(journal).filter(({ type }) => type === 'plan' || type === 'revision');
        expect(plans).toHaveLength(3);
        expect(journal.entries.filter((entry) => JSON.stringify(entry).includes('In euros!'))).toHaveLength(
          1,
        );
      }
    },
  );
});
