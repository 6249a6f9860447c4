import { afterEach, expect, it } from 'vitest';
import { type FollowUpBed, openFollowUpBed, path, repo, type Script } from './follow-up-bed.ts';

let bed: FollowUpBed;
afterEach(() => bed.close());

const wrong = 'export const sum = (a, b) => a * b;\n';
const right = 'export const sum = (a, b) => a + b;\n';

/** Gets it wrong at first, and right once a log or a person says so. */
const repairing: Script = ({ said, written }) => {
  const isTold = said.some((text) => text.includes('found -1') || text.includes('Plus, please'));
  const content = isTold ? right : wrong;
  if (!written.includes(content)) return { write: content };
  return { text: isTold ? 'It adds now.' : 'It multiplies now.' };
};

it('goes from a check that fails to green, and asks no model while nothing changes [NX-240]', async () => {
  bed = await openFollowUpBed({ script: repairing });
  await bed.simulator.ci.answer(repo, ({ read }) => [
    {
      name: 'test',
      conclusion: read(path)?.includes('a + b') ? 'success' : 'failure',
      log: 'found -1',
      takesMs: 600_000,
    },
  ]);
  const asked: number[] = [];
  // Two calls for the change, two for the repair, one for the summary at the end.
  await bed.run((tick, end) => {
    asked.push(bed.asked());
    if (bed.ended().completed === 1 || tick > 60) end();
  });
  expect(bed.ended()).toMatchObject({ completed: 1 });
  expect(asked.length).toBeLessThan(60);
  const pull = bed.simulator.thread(repo, bed.pull());
  expect(pull.pullRequest).toMatchObject({ draft: true });
  expect(bed.asked()).toBe(asked.at(-1) ?? 0);
  const bodies = bed.simulator.thread(repo, bed.issue).comments.map(({ body }) => body);
  expect(bodies.filter((body) => body.includes(':delivered'))).toHaveLength(1);
  expect(bodies.at(-1)).toContain('All checks have passed');
}, 120_000);
