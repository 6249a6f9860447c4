import type { TaskKey } from '../task-key.ts';
import { nameRepository } from './name-repository.ts';
import type { RepositoryFeed } from './repository-feed.ts';

/** One feed a repository, for as long as somebody uses it. */
export interface SharedFeeds {
  /** The feed of this thread's repository; null where the platform has none. */
  readonly use: (key: TaskKey) => { readonly feed: RepositoryFeed | null; readonly release: () => void };
}

/** @param open makes the feed of a repository that nobody uses yet */
export function createSharedFeeds(open: (key: TaskKey) => RepositoryFeed | null): SharedFeeds {
  const shared = new Map<string, { readonly feed: RepositoryFeed; users: number }>();
  return {
    use: (key) => {
      const name = nameRepository(key);
      const feed = shared.get(name)?.feed ?? open(key);
      if (feed === null) return { feed, release: () => {} };
      const entry = shared.get(name) ?? { feed, users: 0 };
      entry.users += 1;
      shared.set(name, entry);
      return {
        feed,
        release: () => {
          entry.users -= 1;
          if (entry.users > 0) return;
          feed.close();
          shared.delete(name);
        },
      };
    },
  };
}
