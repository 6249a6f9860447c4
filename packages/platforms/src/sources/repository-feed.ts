import { untilAborted } from '../http/until-aborted.ts';
import type { RepositoryListing } from '../model.ts';
import type { CallOptions, RepositoryChanges } from '../ports.ts';
import { createMailbox, type Mailbox } from './mailbox.ts';

/** How a feed is paced. */
export interface RepositoryFeedOptions {
  /**
   * Milliseconds within which all threads share one look; a function is told for how long nothing has changed.
   * Default 10,000.
   */
  readonly intervalMs?: number | ((quietMs: number) => number);
  /** Milliseconds of a clock that only moves forward; default `performance.now`. */
  readonly now?: () => number;
}

/** One poll of a repository, shared by all its threads. */
export interface RepositoryFeed {
  /** What arrives for this thread from now on. Names are those of `toThreadName`. */
  readonly open: (thread: string) => Mailbox;
  readonly close: (mailbox: Mailbox) => void;
  /**
   * Resolves when the mailboxes hold what a look has shown: the look under way, or one of this interval, or a new one;
   * with `fresh` one whose request begins after this call. Rejects when that look failed, for everybody who relies on it.
   */
  readonly look: (options?: { readonly fresh?: boolean | undefined } & CallOptions) => Promise<void>;
}

interface Look {
  readonly beganAt: number;
  readonly outcome: Promise<void>;
}

/** Makes as few looks as the interval allows, however many threads ask. */
export function createRepositoryFeed(
  changes: RepositoryChanges,
  { intervalMs = 10_000, now = () => performance.now() }: RepositoryFeedOptions = {},
): RepositoryFeed {
  const mailboxes = new Set<Mailbox>();
  let last: Look | null = null;
  let running: Promise<void> | null = null;
  let queued: Promise<void> | null = null;
  let refusedUntil = Number.NEGATIVE_INFINITY;
  let changedAt = now();

  const interval = () => (typeof intervalMs === 'number' ? intervalMs : intervalMs(now() - changedAt));
  const begin = (): Promise<void> => {
    queued = null;
    const outcome = listInto(mailboxes, changes).then(
      ({ unchanged }) => {
        running = null;
        if (!unchanged) changedAt = now();
      },
      (error: unknown) => {
        running = null;
        refusedUntil = now() + toRetryAfterMs(error);
        throw error;
      },
    );
    // Those who ask later within the interval hear of it.
    outcome.catch(() => undefined);
    running = outcome;
    last = { beganAt: now(), outcome };
    return outcome;
  };
  const choose = (fresh: boolean): Promise<void> => {
    if (running !== null) {
      if (!fresh) return running;
      queued ??= running.catch(() => undefined).then(begin);
      return queued;
    }
    if (last === null) return begin();
    const isDue = fresh || now() - last.beganAt >= interval();
    return isDue && now() >= refusedUntil ? begin() : last.outcome;
  };
  return {
    open: (thread) => {
      const mailbox = createMailbox(thread);
      mailboxes.add(mailbox);
      return mailbox;
    },
    close: (mailbox) => void mailboxes.delete(mailbox),
    look: async ({ fresh = false, signal } = {}) => {
      signal?.throwIfAborted();
      await untilAborted(choose(fresh), signal);
    },
  };
}

async function listInto(
  mailboxes: ReadonlySet<Mailbox>,
  changes: RepositoryChanges,
): Promise<RepositoryListing> {
  const listing = await changes.listChanges();
  if (!listing.unchanged) for (const mailbox of mailboxes) mailbox.receive(listing);
  return listing;
}

/** A refusal by a rate limit holds for every look, a fresh one too. */
function toRetryAfterMs(error: unknown): number {
  const { retryAfterMs } = (error ?? {}) as { readonly retryAfterMs?: unknown };
  return typeof retryAfterMs === 'number' ? retryAfterMs : Number.NEGATIVE_INFINITY;
}
