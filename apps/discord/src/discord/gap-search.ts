import type { Logger } from '@agent/text';
import { type Channel, type Client, Events, type Message } from 'discord.js';
import { atDiscord, describeError } from '../bot-error.ts';
import type { Clock } from '../waits.ts';

/** Least milliseconds between two searches for lost events. */
const gapSearchMs = 60_000;
/** Milliseconds after which lost events are searched for without any sign of a loss. */
const idleGapSearchMs = 10 * 60_000;

export interface GapSearchOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Ends the search. */
  readonly signal: AbortSignal;
  readonly onGap: (channel: Message['channel']) => void;
}

/**
 * Finds places whose newest message brought no event: Discord lists the newest message of each channel and active thread. Searches after
 * a session was resumed, at most once a minute, and every ten minutes. Gives the function to call after a resume.
 */
export function createGapSearch(
  client: Client<true>,
  { clock, logger, signal, onGap }: GapSearchOptions,
): () => void {
  let searchedAt = clock.now() - gapSearchMs;
  let cancel = (): void => {};
  const plan = (waitMs: number, isResumed: boolean): void => {
    cancel();
    if (!signal.aborted) cancel = clock.after(waitMs, () => run(isResumed));
  };
  const run = (isResumed: boolean): void => {
    searchedAt = clock.now();
    plan(idleGapSearchMs, false);
    findGaps(client, isResumed)
      .then((channels) => {
        for (const channel of channels) onGap(channel);
      })
      .catch((error: unknown) => {
        if (!signal.aborted) logger.warn(describeError(error), 'failed to search for lost events');
      });
  };
  signal.addEventListener('abort', () => cancel());
  client.on(Events.ShardReconnecting, () => cancel());
  plan(idleGapSearchMs, false);
  return () => plan(Math.max(0, searchedAt + gapSearchMs - clock.now()), true);
}

/**
 * Lists the places whose newest message is not the newest that an event brought. Discord does not list direct messages: after a resume,
 * all that are known count.
 *
 * @throws BotError
 */
async function findGaps(client: Client<true>, isResumed: boolean): Promise<readonly Message['channel'][]> {
  const known = new Map(client.channels.cache.map((channel) => [channel.id, newestIdOf(channel)]));
  for (const guild of client.guilds.cache.values()) {
    await atDiscord('read-history', async () => {
      await guild.channels.fetch();
      await guild.channels.fetchActiveThreads();
    });
  }
  return [...client.channels.cache.values()].flatMap((channel): Message['channel'][] => {
    if (!channel.isTextBased() || (channel.isThread() && channel.archived === true)) return [];
    const isGap = channel.isDMBased() ? isResumed : newestIdOf(channel) !== known.get(channel.id);
    return isGap ? [channel] : [];
  });
}

function newestIdOf(channel: Channel): string | null {
  return channel.isTextBased() ? (channel.lastMessageId ?? null) : null;
}
