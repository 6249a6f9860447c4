import type { CommentSource, GitHubTaskKey, RequestRecord } from '@agent/platforms';
import { createGitHubPlatform } from '@agent/platforms/github';
import {
  createDoorbell,
  createRepositoryFeeds,
  createRequestBudget,
  type Doorbell,
  openThreadSource,
  type PollPace,
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
  const feeds = createRepositoryFeeds({ openChanges: platform.openChanges, budget, now });
  // Only who insists waits for a further look, and nobody does here.
  const sleep = () => Promise.reject(new Error('Nobody sleeps in a simulated hour.'));
  return {
    bell,
    listenTo: (key) =>
      openThreadSource(platform.openThread(key), { budget, bell, feeds, sweepIntervalMs, now, sleep }),
  };
}
