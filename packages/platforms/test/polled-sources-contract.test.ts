import type { CommentSource } from '../src/index.ts';
import { createRepositoryFeed, fromRepositoryPoll } from '../src/sources/index.ts';
import { commentSourceContract, type PlatformFixture, toPortFixtures } from '../src/testing/index.ts';
import { createMemoryFixture } from '../src/testing/memory-fixture.ts';
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
  commentSourceContract({
    name: `A rare poll of a repository of ${name}, asked for fresh looks,`,
    create: async () => {
      const world = await create();
      const open = insisting(polled(world, 3_600_000));
      return { ...toPortFixtures(world).commentSource, open, close: world.close };
    },
  });
}
