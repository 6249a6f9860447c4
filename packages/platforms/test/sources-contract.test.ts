import type { CommentSource } from '../src/index.ts';
import { createDoorbell } from '../src/sources/doorbell.ts';
import { createRepositoryFeed, fromRepositoryPoll } from '../src/sources/repository-feed.ts';
import { createRequestBudget, withRequestBudget } from '../src/sources/request-budget.ts';
import { withDoorbell } from '../src/sources/thread-source.ts';
import { createMemoryFixture } from '../src/testing/contract-fixture.ts';
import { commentSourceContract, type PlatformFixture, toPortFixtures } from '../src/testing/index.ts';
import { createGitLabFixture } from './fixtures/gitlab-fixture.ts';
import { createSimulatorFixture } from './fixtures/simulator-fixture.ts';

type World = PlatformFixture & { readonly close: () => Promise<void> };

/** Every source begins a feed of its own, as another process would. */
function polled({ platform, key: first }: World, intervalMs: number) {
  return (key = first): CommentSource => {
    const changes = platform.openChanges?.(key);
    if (changes === undefined) throw new Error(`${platform.name} has no list of changes`);
    return fromRepositoryPoll(createRepositoryFeed(changes, { intervalMs }), platform.openThread(key));
  };
}

const insisting = (open: (key?: World['key']) => CommentSource) => (key?: World['key']) => {
  const { listComments } = open(key);
  return { listComments: (options) => listComments({ ...options, fresh: true }) } satisfies CommentSource;
};

const platforms: readonly [name: string, create: () => Promise<World>][] = [
  ['memory', createMemoryFixture],
  ['GitHub', createSimulatorFixture],
  ['GitLab', createGitLabFixture],
];

for (const [name, create] of platforms) {
  commentSourceContract({
    name: `A poll of a repository of ${name}`,
    create: async () => {
      const world = await create();
      return { ...toPortFixtures(world).commentSource, open: polled(world, 0), close: world.close };
    },
  });
}

commentSourceContract({
  name: 'A rare poll of a repository of GitHub, asked for fresh looks,',
  create: async () => {
    const world = await createSimulatorFixture();
    const open = insisting(polled(world, 3_600_000));
    return { ...toPortFixtures(world).commentSource, open, close: world.close };
  },
});

/** A bell that rings for what people do, as webhooks would, and a source that looks for nothing else. */
function atTheDoor(world: World) {
  const { people, platform, key: first } = world;
  const bell = createDoorbell();
  const ring = (key: World['key'], commentId: string, deleted = false) =>
    bell.ring({ key, commentId, updatedAt: null, deleted });
  const ringing: World['people'] = {
    ...people,
    comment: async (key, comment) => {
      const id = await people.comment(key, comment);
      ring(key, id);
      return id;
    },
    editComment: async (key, id, body) => {
      await people.editComment(key, id, body);
      ring(key, id);
    },
    deleteComment: async (key, id) => {
      await people.deleteComment(key, id);
      ring(key, id, true);
    },
  };
  const now = () => 0;
  const open = (key = first): CommentSource =>
    withDoorbell(platform.openThread(key).comments, { bell, key, now, repeatAfterMs: [0, 0, 0] });
  return { people: ringing, open };
}

for (const [name, create] of platforms) {
  commentSourceContract({
    name: `A thread of ${name} behind a doorbell, with no sweep,`,
    create: async () => {
      const world = await create();
      return { ...toPortFixtures(world).commentSource, ...atTheDoor(world), close: world.close };
    },
  });
}

commentSourceContract({
  name: 'A thread of GitHub within a budget',
  create: async () => {
    const world = await createSimulatorFixture();
    const budget = createRequestBudget({ shortestMs: 0, longestMs: 0, pointsPerMinute: 1_000_000 });
    let time = 0;
    const now = () => {
      time += 1000;
      return time;
    };
    const open = (key = world.key) =>
      withRequestBudget(world.platform.openThread(key).comments, { budget, now });
    return { ...toPortFixtures(world).commentSource, open, close: world.close };
  },
});

/** The platforms' own clocks say 2026-01-02. */
const clocks = [
  ['GitHub', createSimulatorFixture, 'a day behind', '2026-01-01T00:00:00Z'],
  ['GitHub', createSimulatorFixture, 'a day ahead', '2026-01-03T23:59:59Z'],
  ['GitLab', createGitLabFixture, 'a day ahead', '2026-01-03T23:59:59Z'],
] as const;

for (const [name, create, skew, time] of clocks) {
  commentSourceContract({
    name: `A poll of ${name} by a clock that is ${skew}`,
    create: async () => {
      const world = await create();
      const platform = world.connect({ now: () => Date.parse(time) });
      const skewed = { ...world, platform, listing: undefined };
      return { ...toPortFixtures(skewed).commentSource, open: polled(skewed, 0), close: world.close };
    },
  });
}
