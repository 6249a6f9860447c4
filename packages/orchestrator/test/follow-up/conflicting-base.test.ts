// @module-tag full
import { execFileSync } from 'node:child_process';
import { afterEach, expect, it } from 'vitest';
import { type FollowUpBed, openFollowUpBed, path, repo, type Script } from './follow-up-bed.ts';

let bed: FollowUpBed;
afterEach(() => bed.close());

const own = 'export const sum = (a, b) => a + b;\n';
const ofAlice = 'export const sum = (a, b) => a - b + 0;\n';
const both = 'export const sum = (a, b) => a + b + 0;\n';

/** Merges when it is told of a conflict, and joins both sides where it is able to. */
const merging =
  (isAble: boolean): Script =>
  ({ said, written, answered }) => {
    if (!written.includes(own)) return { write: own };
    if (!said.some((text) => text.includes('conflicts with its base')) || !isAble)
      return { text: 'It adds now.' };
    if (!answered.some((text) => text.includes('Conflicts, in these files')))
      return { call: 'merge_base', input: {} };
    return written.includes(both) ? { text: 'Both are kept.' } : { write: both };
  };

const green = (takesMs: number) => [{ name: 'test', conclusion: 'success', takesMs } as const];

/** Has somebody change the same line on the base once the draft is there. */
async function play(isAble: boolean, repositoryFile?: string) {
  const offered: boolean[] = [];
  const script: Script = (view) => {
    offered.push(view.tools.includes('merge_base'));
    return merging(isAble)(view);
  };
  bed = await openFollowUpBed({ script, repositoryFile });
  const { simulator } = bed;
  await simulator.ci.answer(repo, ({ read }) => green(read(path)?.includes('a + b;') ? 900_000 : 0));
  let base = '';
  await bed.run(async (tick, end) => {
    if (tick === 1)
      base = await simulator.push({ repo, branch: 'main', author: 'alice', files: { [path]: ofAlice } });
    if (bed.ended().completed === 1 || tick > 99) end();
  });
  const head = simulator.thread(repo, bed.pull()).pullRequest?.head ?? '';
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', simulator.gitDirectory(repo), ...args], { encoding: 'utf8' });
  const log = git('log', '--format=%H %P', head).trim().split('\n');
  return { log, base, offered, text: git('show', `${head}:${path}`) };
}

it('merges a base that conflicts by a commit of its own, and ends green [NX-231]', async () => {
  const { log, base, text } = await play(true);
  expect(text).toBe(both);
  expect(log[0]?.split(' ')).toHaveLength(3);
  expect(log[0]?.split(' ')[2]).toBe(base);
  const { comments } = bed.simulator.thread(repo, bed.issue);
  expect(comments.at(-1)?.body).toContain('All checks have passed');
});

it('says that it could not merge where a round leaves the conflict, and tries it once [NX-231]', {
  tags: ['release'],
}, async () => {
  const { text, offered } = await play(false);
  expect(offered).toContain(true);
  expect(text).toBe(own);
  const { comments } = bed.simulator.thread(repo, bed.issue);
  expect(comments.at(-1)?.body).toContain("conflicts with its base branch, and I couldn't merge");
  // Two for the change, one for the round, one for the summary.
  expect(bed.asked()).toBe(4);
});

it('has no tool for merges where the repository wants none, in no round either, and says so [NX-252]', async () => {
  const { text, log, offered } = await play(false, 'merge_base: false\n');
  expect(text).toBe(own);
  expect(log.every((line) => line.split(' ').length <= 2)).toBe(true);
  expect(offered).not.toContain(true);
  const { comments } = bed.simulator.thread(repo, bed.issue);
  expect(comments.at(-1)?.body).toContain("conflicts with its base branch, and I couldn't merge");
});
