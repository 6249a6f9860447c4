import { afterEach, describe, expect, it } from 'vitest';
import {
  openWaitingRuns,
  startWaitingGitHub,
  startWaitingGitLab,
  type WaitingForge,
  type WaitingRun,
} from './waiting-bed.ts';

const minuteMs = 60_000;
const isFull = process.env.TEST_FULL === '1';
const counts = isFull ? [1, 12] : [1, 4];
const forges = [
  // Comments, comments on lines and pull requests; then issues and merge requests.
  { name: 'GitHub', start: startWaitingGitHub, sharedPolls: 3 },
  { name: 'GitLab', start: startWaitingGitLab, sharedPolls: 2 },
] as const;

let forge: WaitingForge;
let runs: readonly WaitingRun[] = [];
afterEach(async () => {
  for (const run of runs) run.close();
  runs = [];
  await forge.close();
});

/** Lets time pass, and polls all. @returns the requests that it cost */
async function pollAll(milliseconds: number) {
  forge.pass(milliseconds);
  const before = forge.requests().length;
  const goOn = await Promise.all(runs.map(({ poll }) => poll()));
  return { goOn, requests: forge.requests().slice(before) };
}

/** Polls until nothing is under way any more. */
async function settle(): Promise<void> {
  for (let polls = 0; polls < 3; polls += 1) await pollAll(2 * minuteMs);
}

describe.each(process.env.TEST_RELEASE === '1' ? forges : forges.slice(0, 1))(
  'change requests that wait on $name',
  ({ start, sharedPolls }) => {
    it.each(counts)(
      'cost as many requests a poll as one, where %i of them are quiet [NX-255]',
      async (count) => {
        forge = await start();
        runs = await openWaitingRuns(forge, count);
        await settle();
        for (let polls = 0; polls < 3; polls += 1) {
          const { goOn, requests } = await pollAll(1.5 * minuteMs);
          expect(goOn).not.toContain(true);
          expect(requests.map(({ path }) => path)).toHaveLength(sharedPolls);
          if (start === startWaitingGitHub)
            expect(requests.map(({ status }) => status)).toEqual([304, 304, 304]);
        }
      },
    );

    it('are heard by the next poll where somebody reviews one, or merges it, and asked alone [NX-255]', {
      tags: ['full'],
    }, async () => {
      forge = await start();
      runs = await openWaitingRuns(forge, 4);
      await settle();
      const [reviewed, merged] = runs as readonly [WaitingRun, WaitingRun];
      await forge.review(reviewed);
      forge.merge(merged);
      const { goOn, requests } = await pollAll(1.5 * minuteMs);
      expect([...reviewed.heard].filter((id) => id.startsWith('review-'))).toHaveLength(1);
      expect(goOn.indexOf(true)).toBe(1);
      expect(goOn.filter(Boolean)).toHaveLength(1);
      const named = requests.flatMap(
        ({ path }) => /\/(?:pulls|merge_requests)\/(\d+)/u.exec(path)?.[1] ?? [],
      );
      expect(new Set(named)).toEqual(new Set([`${reviewed.number}`, `${merged.number}`]));
    });

    it('are asked for their checks within ten minutes, though no list names those [NX-256]', {
      tags: ['full'],
    }, async () => {
      forge = await start();
      runs = await openWaitingRuns(forge, 3);
      await settle();
      const [failing, ...others] = runs as readonly [WaitingRun, ...WaitingRun[]];
      await forge.check(failing, 'failure');
      for (let polls = 0; polls < 7; polls += 1) await pollAll(1.5 * minuteMs);
      const checksOf = ({ heard }: WaitingRun) => [...heard].filter((id) => /^check-\w+-test$/u.test(id));
      expect(checksOf(failing)).toHaveLength(1);
      expect(others.flatMap(checksOf)).toEqual([]);
    });

    it('say that they could not be asked where the list of them fails, and miss nothing by it [NX-256]', {
      tags: ['full'],
    }, async () => {
      forge = await start();
      runs = await openWaitingRuns(forge, 2);
      await settle();
      const [reviewed] = runs as readonly [WaitingRun];
      await forge.review(reviewed);
      forge.failListing();
      forge.pass(1.5 * minuteMs);
      const polls = await Promise.allSettled(runs.map(({ poll }) => poll()));
      expect(polls.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
      expect([...reviewed.heard].filter((id) => id.startsWith('review-'))).toEqual([]);
      await pollAll(1.5 * minuteMs);
      expect([...reviewed.heard].filter((id) => id.startsWith('review-'))).toHaveLength(1);
    });
  },
);
