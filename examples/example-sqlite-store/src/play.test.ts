// @module-tag full
import { expect, it } from 'vitest';
import { play } from './play.ts';

it('an agent with its runs in SQLite finishes the run that a killed process left, with one draft and one report', async () => {
  const { pullRequests, reports, toolCalls, rows } = await play(() => {});
  expect(pullRequests).toEqual(['A greeting (#1)']);
  expect(reports).toBe(1);
  expect(toolCalls).toBe(1);
  const [crashed, ended] = rows.map((runs) => runs.map(({ place }) => place));
  expect([crashed, ended]).toEqual([['running'], ['completed']]);
});
