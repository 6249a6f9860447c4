import { expect, it } from 'vitest';
import type { Platform, RepositoryChanges, TaskKey } from '../src/index.ts';
import {
  type ReviewFixture,
  requestChangesCases,
  requestChangesContract,
  runContractCase,
} from '../src/testing/index.ts';
import { createGitLabReviewFixture } from './fixtures/gitlab-review-fixture.ts';
import { createGitHubReviewFixture } from './fixtures/review-fixtures.ts';

type World = ReviewFixture & {
  readonly world: { readonly platform: Platform };
  readonly close: () => Promise<void>;
};

const openOn = ({ platform }: World['world'], key: TaskKey): RepositoryChanges => {
  const changes = platform.openRequestChanges?.(key);
  if (changes === undefined) throw new Error(`${platform.name} names no change requests`);
  return changes;
};

const platforms: readonly [name: string, create: () => Promise<World>][] = [
  ['GitHub on our simulator', createGitHubReviewFixture],
  ['GitLab on our simulator', createGitLabReviewFixture],
];

for (const [name, create] of platforms) {
  requestChangesContract({
    name,
    create: async () => {
      const { key, people, world, close } = await create();
      return { key, people, close, open: () => openOn(world, key) };
    },
  });
}

/** Faults that an adapter may have. */
const faults: Readonly<Record<string, (changes: RepositoryChanges) => RepositoryChanges>> = {
  'names nothing': ({ listChanges }) => ({
    listChanges: async (options) => ({ ...(await listChanges(options)), changes: [] }),
  }),
  'says of what failed that nothing changed': ({ listChanges }) => ({
    listChanges: (options) =>
      listChanges(options).catch(() => ({ changes: [], since: null, unchanged: true })),
  }),
  'never says that nothing changed': ({ listChanges }) => ({
    listChanges: async (options) => ({ ...(await listChanges(options)), unchanged: false }),
  }),
};

it.each(Object.entries(faults))(
  'notices an adapter that %s [NX-256]',
  { tags: ['full'] },
  async (_name, spoil) => {
    let failed = 0;
    for (const one of requestChangesCases) {
      const create = async () => {
        const { key, people, world, close } = await createGitHubReviewFixture();
        return { key, people, close, open: () => spoil(openOn(world, key)) };
      };
      await runContractCase(one, create).catch(() => {
        failed += 1;
      });
    }
    expect(failed).toBeGreaterThan(0);
  },
);

it('finds all that changed behind a first page of pull requests, and asks one page while nothing does [NX-255]', {
  tags: ['full'],
}, async () => {
  const { key, people, world, close } = await createGitHubReviewFixture();
  const { simulator } = world as Awaited<ReturnType<typeof createGitHubReviewFixture>>['world'];
  const repo = 'octo/hello';
  const numbers: number[] = [];
  for (let count = 0; count < 31; count += 1) {
    const pull = { repo, author: 'alice', title: `${count}`, headBranch: `other-${count}` };
    numbers.push((await simulator.openPullRequest({ ...pull, files: {} })).number);
  }
  await people.passTime(300);
  const changes = openOn(world, key);
  await changes.listChanges();
  await people.passTime(300);
  for (const number of numbers) {
    await people.passTime(1);
    simulator.comment({ repo, number, author: 'bob', body: 'look' });
  }
  const named = (await changes.listChanges()).changes.map(({ thread }) => thread);
  expect(named).toEqual(expect.arrayContaining(numbers.map((number) => `${repo}#${number}`)));
  await people.passTime(300);
  const before = simulator.requests.length;
  expect((await changes.listChanges()).unchanged).toBe(true);
  expect(simulator.requests.slice(before).map(({ status }) => status)).toEqual([304]);
  await close();
});

it('names what changes in the second of the first poll, and later in a second of its own [NX-256]', async () => {
  const { key, people, world, close } = await createGitHubReviewFixture();
  const changes = openOn(world, key);
  const review = { author: 'bob', state: 'changes-requested', body: 'Not yet.' } as const;
  const counts: number[] = [(await changes.listChanges()).changes.length];
  await people.review(review);
  counts.push((await changes.listChanges()).changes.length);
  for (const seconds of [10, 40, 20]) {
    await people.passTime(seconds);
    counts.push((await changes.listChanges()).changes.length);
  }
  expect(counts).toEqual([0, 1, 1, 1, 0]);
  await close();
});

it('lists the notes of a merge request once where its conversation and its lines are polled together [NX-255]', async () => {
  const { key, open, people, world, close } = await createGitLabReviewFixture();
  const { simulator, platform } = world;
  await people.commentOnLine({ author: 'alice', body: 'Why?', line: 1 });
  const conversation = platform.openThread(key).comments;
  const { lines } = open();
  const poll = async (signals: readonly [AbortSignal, AbortSignal]) => {
    const before = simulator.requests.length;
    const sources = [conversation, lines] as const;
    await Promise.all(
      sources.map(({ listComments }, at) => listComments({ since: null, signal: signals[at] })),
    );
    return simulator.requests.slice(before).filter(({ path }) => /\/notes\?/u.test(path)).length;
  };
  const { signal } = new AbortController();
  expect(await poll([signal, signal])).toBe(1);
  expect(await poll([signal, new AbortController().signal])).toBe(2);
  await close();
});
