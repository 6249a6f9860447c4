import type { Logger } from '@agent/text';
import { type Channel, type Client, Events, type Message, SnowflakeUtil } from 'discord.js';
import { atDiscord, describeError } from '../bot-error.ts';
import type { Clock } from '../waits.ts';

/** Least milliseconds between two searches for lost events. */
const gapSearchMs = 60_000;
/** Milliseconds before the last search in which an event may have been under way. */
const overlapMs = 30_000;
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
 * Finds places that may have lost an event: with a message since the last search, or with a newest message that brought no event. Discord
 * lists the newest message of each channel and active thread, and a later event in a place hides an earlier one that was lost. Searches
 * after a session was resumed, at most once a minute, and every ten minutes. Gives the function to call after a resume.
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
    const since = searchedAt - overlapMs;
    searchedAt = clock.now();
    plan(idleGapSearchMs, false);
    findGaps(client, { isResumed, since })
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
 * Lists the places with a message since then, and those whose newest message is not the newest that an event brought. Discord does not
 * list direct messages: after a resume, all that are known count.
 *
 * @throws BotError
 */
async function findGaps(
  client: Client<true>,
  { isResumed, since }: { readonly isResumed: boolean; readonly since: number },
): Promise<readonly Message['channel'][]> {
  const known = new Map(client.channels.cache.map((channel) => [channel.id, newestIdOf(channel)]));
  for (const guild of client.guilds.cache.values()) {
    await atDiscord('read-history', async () => {
      await guild.channels.fetch();
      await guild.channels.fetchActiveThreads();
    });
  }
  return [...client.channels.cache.values()].flatMap((channel): Message['channel'][] => {
    if (!channel.isTextBased() || (channel.isThread() && channel.archived === true)) return [];
    if (channel.isDMBased()) return isResumed ? [channel] : [];
    const newestId = newestIdOf(channel);
    const isActive = newestId !== null && SnowflakeUtil.timestampFrom(newestId) >= since;
    return isActive || newestId !== known.get(channel.id) ? [channel] : [];
  });
}

function newestIdOf(channel: Channel): string | null {
  return channel.isTextBased() ? (channel.lastMessageId ?? null) : null;
}
