// @module-tag full
import { afterEach, expect, it } from 'vitest';
import { type FollowUpBed, openFollowUpBed, repo, type Script } from './follow-up-bed.ts';

let bed: FollowUpBed;
afterEach(() => bed.close());

const first = 'export const sum = (a, b) => a * b;\n';
const second = 'export const sum = (a, b) => a + b;\n';

/** Writes one text for each time that it is given the thread. */
const writing: Script = ({ said, written }) => {
  const isAgain = said.some((text) => text.includes('given') || text.includes('waited'));
  const content = isAgain ? second : first;
  return written.includes(content) ? { text: 'Done as asked.' } : { write: content };
};

const pulls = () => bed.simulator.threads(repo).filter(({ pullRequest }) => pullRequest !== null);
const label = (number: number) => bed.simulator.addLabels(repo, number, ['agent'], { by: 'alice' });
const bodiesOf = (number: number) => bed.simulator.thread(repo, number).comments.map(({ body }) => body);

it('goes on with the run that waits where its draft is given the label [NX-241]', {
  tags: ['release'],
}, async () => {
  bed = await openFollowUpBed({ script: writing, followUp: { until: 'merged' } });
  const { simulator } = bed;
  await bed.run((tick, end) => {
    if (tick === 1) label(bed.pull());
    const isOpen = simulator.thread(repo, bed.pull()).state === 'open';
    if (tick > 4 && bed.asked() === 4 && isOpen) simulator.closeThread(repo, bed.pull(), { merged: true });
    if (bed.ended().completed === 1 || tick > 99) end();
  });
  expect(bed.ended()).toMatchObject({ completed: 1 });
  expect(pulls()).toHaveLength(1);
  expect(pulls()[0]?.labels).toEqual([]);
  expect(bodiesOf(bed.pull())).toEqual([]);
  // Two for the draft, two for the round, one for the summary.
  expect(bed.asked()).toBe(5);
});

it('inherits from the runs of the issue on its draft, and the other way round, in one change request [NX-241]', async () => {
  let runs = 0;
  bed = await openFollowUpBed({
    script: ({ said, written }) => {
      if (said.some((text) => text.includes('record of the run')))
        return { text: JSON.stringify({ summary: `Line ${runs} was written.`, key_decisions: [] }) };
      if (written.length > 0) return { text: `Run ${runs} is done.` };
      runs += 1;
      return { write: `// ${runs}\n${first}` };
    },
    followUp: null,
  });
  let last = 0;
  await bed.run((tick, end) => {
    const completed = bed.ended().completed ?? 0;
    if (completed > last) {
      last = completed;
      if (completed === 1) label(bed.pull());
      if (completed === 2) label(bed.issue);
    }
    if (completed === 3 || tick > 99) end();
  });
  expect(bed.ended()).toMatchObject({ completed: 3 });
  expect(pulls()).toHaveLength(1);
  const inherited = (number: number) => bodiesOf(number).filter((body) => body.includes(':inherited'));
  expect(inherited(bed.pull())).toHaveLength(1);
  expect(inherited(bed.issue)).toHaveLength(1);
});
