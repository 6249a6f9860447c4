import type { CommentSource, GitHubTaskKey, RequestRecord } from '@agent/platforms';
import { createGitHubPlatform } from '@agent/platforms/github';
import {
  createDoorbell,
  createRepositoryFeed,
  createRequestBudget,
  type Doorbell,
  fromRepositoryPoll,
  type PollPace,
  type RepositoryFeed,
  withDoorbell,
} from '@agent/platforms/sources';
import { agentToken, type FleetForge, type VirtualClock } from './fleet-forge.ts';

export interface FleetSourcesOptions {
  readonly forge: FleetForge;
  readonly clock: VirtualClock;
  readonly pace: PollPace;
  /** Milliseconds that a thread is left alone while its bell is quiet; 0 where no webhooks ring it. */
  readonly sweepIntervalMs: number;
  readonly onRequest: (record: RequestRecord) => void;
}

/** How all tasks of one credential hear their threads. */
export interface FleetSources {
  readonly listenTo: (key: GitHubTaskKey) => CommentSource;
  readonly bell: Doorbell;
}

/** The parts of the library put together as the daemon does: one budget, one feed a repository, a bell for all. */
export function createFleetSources(options: FleetSourcesOptions): FleetSources {
  const { forge, clock, pace, sweepIntervalMs, onRequest } = options;
  const now = () => clock.time;
  const bell = createDoorbell();
  const budget = createRequestBudget({ ...pace, now });
  const platform = createGitHubPlatform({
    token: agentToken,
    baseUrl: forge.url,
    repositories: [],
    now,
    onRequest: (record) => {
      budget.record(record);
      onRequest(record);
    },
  });
  const feeds = new Map<string, RepositoryFeed>();
  const feedOf = (key: GitHubTaskKey): RepositoryFeed => {
    const changes = platform.openChanges?.(key);
    if (changes === undefined) throw new Error('This platform lists no changes of a repository.');
    const feed = feeds.get(key.repo) ?? createRepositoryFeed(changes, { budget, now });
    feeds.set(key.repo, feed);
    return feed;
  };
  return {
    bell,
    listenTo: (key) =>
      withDoorbell(fromRepositoryPoll(feedOf(key), platform.openThread(key)), {
        bell,
        key,
        sweepIntervalMs,
        urgentDelayMs: budget.urgentDelayMs,
        now,
        // Only who insists waits for a further look, and nobody does here.
        sleep: () => Promise.reject(new Error('Nobody sleeps in a simulated hour.')),
      }),
  };
}
