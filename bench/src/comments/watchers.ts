import { CommentDetectionManager } from '@agent/comment-detection';
import { createGitHubPlatform } from '@agent/platforms/github';
import {
  listAllPages,
  listFirstHundred,
  listFirstThirty,
  type PlainListing,
} from './list-comments-plainly.ts';
import { createMeteredFetch, type Traffic } from './metered-fetch.ts';
import { createSeedDetection } from './seed-detection.ts';
import { agentLogin, repository, type ThreadForge } from './thread-forge.ts';

/** One way of watching a thread, and what it has cost. */
export interface Watcher {
  readonly initialize: () => Promise<void>;
  /** Ids of the comments that are new, and how many were found edited. */
  readonly check: () => Promise<{ readonly added: readonly string[]; readonly edited: number }>;
  /** The look before a run ends, where the way has one. */
  readonly checkAtEnd: () => Promise<{ readonly added: readonly string[]; readonly edited: number }>;
  readonly read: () => Traffic;
}

/** Whom to ask, for which thread, and by whose clock. */
export interface WatchedThread {
  readonly forge: ThreadForge;
  readonly number: number;
  /** Milliseconds since the epoch. */
  readonly clock: { time: number };
}

export const seedWays = {
  'seed, all pages': listAllPages,
  'page 1 of 100': listFirstHundred,
  'page 1 of 30': listFirstThirty,
} as const;

/** Our own library with the real adapter, as a lone task uses it. */
export async function createOwnWatcher({ forge, number, clock }: WatchedThread): Promise<Watcher> {
  const meter = createMeteredFetch();
  const [{ url }, token] = await Promise.all([forge.describe(), forge.newToken()]);
  const now = () => clock.time;
  const platform = createGitHubPlatform({
    token,
    baseUrl: url,
    repositories: [repository],
    fetch: meter.fetch,
    now,
  });
  const [owner = '', repo = ''] = repository.split('/');
  const { comments } = platform.openThread({ type: 'github_issue', owner, repo, number });
  const manager = new CommentDetectionManager(comments, {
    botUsername: agentLogin,
    authorityOf: () => 'trusted',
    cleanText: (text) => text,
    now: () => new Date(clock.time),
    monotonicNow: now,
    sleep: async (milliseconds) => {
      clock.time += milliseconds;
    },
  });
  const check = async (barrier: boolean) => {
    const { status, added, edited, error } = await manager.checkForChanges({ barrier });
    if (status !== 'checked') throw error ?? new Error(`A check of #${number} was ${status}.`);
    return { added: added.map(({ id }) => id), edited: edited.length };
  };
  return {
    initialize: async () => {
      const { status, error } = await manager.initialize();
      if (status !== 'checked') throw error ?? new Error(`The first look at #${number} ${status}.`);
    },
    check: () => check(false),
    checkAtEnd: () => check(true),
    read: meter.read,
  };
}

/** The seed's way, with one of three ways to list. */
export async function createSeedWatcher(
  { forge, number }: WatchedThread,
  way: keyof typeof seedWays,
): Promise<Watcher> {
  const meter = createMeteredFetch();
  const [{ url: baseUrl }, token] = await Promise.all([forge.describe(), forge.newToken()]);
  const listing: PlainListing = { fetch: meter.fetch, baseUrl, repository, number, token };
  const { initialize, checkForNewComments } = createSeedDetection({
    getComments: () => seedWays[way](listing),
    botUsername: agentLogin,
  });
  const check = async () => {
    const comments = await checkForNewComments();
    return { added: comments.map(({ id }) => String(id)), edited: 0 };
  };
  return { initialize, check, checkAtEnd: check, read: meter.read };
}
