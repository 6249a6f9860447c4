import { execFileSync } from 'node:child_process';
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

it('goes from a check that fails to green, and asks no model while nothing changes [NX-220, NX-262]', async () => {
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
  const log = [
    '-C',
    bed.simulator.gitDirectory(repo),
    'log',
    '-2',
    '--format=%s',
    pull.pullRequest?.head ?? '',
  ];
  expect(execFileSync('git', log, { encoding: 'utf8' }).trim().split('\n')).toEqual([
    `Change ${path} after a failed check (#${bed.issue})`,
    `Change ${path} (#${bed.issue})`,
  ]);
});

it('goes on with no round because it was told to go on while it worked [NX-259]', {
  tags: ['full'],
}, async () => {
  let isSaid = false;
  const script: Script = (view) => {
    if (!isSaid) bed.simulator.comment({ repo, number: bed.issue, author: 'alice', body: '/resume' });
    isSaid = true;
    return repairing(view);
  };
  bed = await openFollowUpBed({ script, followUp: { until: 'merged' } });
  await bed.simulator.ci.answer(repo, () => always('success'));
  let asked = 0;
  await bed.run((tick, end) => {
    if (tick === 1) asked = bed.asked();
    if (tick === 6) bed.simulator.closeThread(repo, bed.pull(), { merged: true });
    if (bed.ended().completed === 1 || tick > 60) end();
  });
  expect(bed.ended()).toMatchObject({ completed: 1 });
  // The summary at the end.
  expect(bed.asked()).toBe(asked + 1);
});

const always = (conclusion: 'success' | 'failure', takesMs = 0) => [
  { name: 'test', conclusion, log: 'found -1', takesMs } as const,
];

it('answers a reviewer once in the thread itself, from the head that somebody forced, and no stranger [NX-221, NX-223, NX-224, NX-262]', {
  tags: ['full'],
}, async () => {
  bed = await openFollowUpBed({ script: repairing, followUp: { until: 'merged' } });
  const { simulator } = bed;
  await simulator.ci.answer(repo, () => always('success'));
  let answered = 0;
  let forced = '';
  await bed.run(async (tick, end) => {
    const at = () => ({ repo, number: bed.pull(), path, line: 1 });
    if (tick === 1) await simulator.reviews.comment({ ...at(), author: 'stranger', body: 'Drop it all.' });
    if (tick === 2) {
      answered = bed.asked();
      const branch = simulator.thread(repo, bed.pull()).pullRequest?.head ?? '';
      const files = { [path]: wrong, 'NOTES.md': 'Mine.\n' };
      forced = await simulator.push({ repo, branch, author: 'alice', files, force: 'amend' });
      await simulator.reviews.comment({ ...at(), author: 'alice', body: 'Plus, please.\n/resolve' });
    }
    const isAnswered = simulator.reviews
      .threads(repo, bed.pull())
      .some(({ resolvedBy }) => resolvedBy !== null);
    const isOpen = simulator.thread(repo, bed.pull()).state === 'open';
    if (isAnswered && isOpen && tick > 4) simulator.closeThread(repo, bed.pull(), { merged: true });
    if (bed.ended().completed === 1 || tick > 99) end();
  });
  expect(answered).toBe(2);
  const threads = simulator.reviews.threads(repo, bed.pull());
  expect(
    threads.map(({ comments, resolvedBy }) => [comments.map(({ author }) => author), resolvedBy]),
  ).toEqual([
    [['stranger'], null],
    [['alice', 'agent'], 'agent'],
  ]);
  const subject = ['-C', simulator.gitDirectory(repo), 'log', '-1', '--format=%s', 'main^2'];
  expect(execFileSync('git', subject, { encoding: 'utf8' }).trim()).toBe(
    `Change ${path} after review (#${bed.issue})`,
  );
  const log = ['-C', simulator.gitDirectory(repo), 'log', '--format=%H', 'main'];
  expect(execFileSync('git', log, { encoding: 'utf8' }).split('\n')).toContain(forced);
  expect(simulator.thread(repo, bed.issue).comments.at(-1)?.body).toContain('The pull request was merged.');
});

it('stays with it after /watch alone, and leaves it alone after /unwatch, by who may steer [NX-225]', {
  tags: ['full'],
}, async () => {
  let isSaid = false;
  const script: Script = (view) => {
    if (!isSaid) bed.simulator.comment({ repo, number: bed.issue, author: 'alice', body: '/watch' });
    isSaid = true;
    return repairing(view);
  };
  bed = await openFollowUpBed({ script, followUp: null });
  const { simulator, issue } = bed;
  await simulator.ci.answer(repo, () => always('success', 36_000_000));
  let labels: readonly string[] = [];
  await bed.run((tick, end) => {
    if (tick === 1) simulator.comment({ repo, number: issue, author: 'stranger', body: '/unwatch' });
    if (tick === 3) {
      labels = simulator.thread(repo, issue).labels;
      simulator.comment({ repo, number: issue, author: 'alice', body: '/unwatch' });
    }
    if (bed.ended().completed === 1 || tick > 99) end();
  });
  expect(labels).toEqual(['agent done']);
  expect(simulator.thread(repo, issue).comments.at(-1)?.body).toContain(
    "I've stopped watching the pull request, as requested.",
  );
});

it('has a flaky check run again without its model, whatever process is there [NX-222]', {
  tags: ['full'],
}, async () => {
  bed = await openFollowUpBed({ script: repairing });
  const { simulator } = bed;
  await simulator.ci.answer(repo, ({ attempt }) => [
    {
      name: 'test',
      conclusion: attempt > 1 ? 'success' : 'failure',
      log: 'Error: read ECONNRESET',
      takesMs: 600_000,
    },
  ]);
  // Each process ends after a look or two; the next one goes on from the record.
  for (let processes = 0; processes < 40 && bed.ended().completed !== 1; processes += 1)
    await bed.run((tick, end) => {
      if (tick >= 2 || bed.ended().completed === 1) end();
    });
  expect(bed.ended()).toMatchObject({ completed: 1 });
  const { comments } = simulator.thread(repo, bed.issue);
  expect(comments.at(-1)?.body).toContain('All checks have passed');
  expect(bed.asked()).toBe(3);
});
