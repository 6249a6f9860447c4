import { openRoom } from './open-room.ts';

export interface TurnRequests {
  readonly historyCache: 'off' | 'gateway';
  /** The first turn after the bot has started, and one after that. */
  readonly turn: 'first' | 'later';
  /** How many requests there were by route. */
  readonly routes: ReadonlyMap<string, number>;
}

/** What two turns in a thread of so many messages ask of Discord. */
export async function measureTurns(
  historyCache: TurnRequests['historyCache'],
  messages: number,
): Promise<readonly TurnRequests[]> {
  const room = await openRoom({ settings: { HISTORY_CACHE: historyCache } });
  const { discord } = room;
  try {
    const threadId = discord.people.startThread(discord.bot.username, discord.generalId, { title: 'long' });
    discord.people.fill(threadId, messages);
    const measured: TurnRequests[] = [];
    for (const turn of ['first', 'later'] as const) {
      discord.clearRequests();
      await room.ask(threadId, `the ${turn} question`);
      // The acknowledgement may come after the answer.
      await discord.until(
        () => discord.countRequests('PUT /channels/:channel/messages/:message/reactions/:emoji/@me') === 1,
      );
      measured.push({ historyCache, turn, routes: countRoutes(discord.requests) });
    }
    return measured;
  } finally {
    await room.close();
  }
}

/** Those that read what was said. */
export function countHistoryRequests({ routes }: Pick<TurnRequests, 'routes'>): number {
  return [...routes].reduce(
    (sum, [route, count]) => (/^GET .*\/messages(\/|$)/.test(route) ? sum + count : sum),
    0,
  );
}

function countRoutes(requests: readonly { readonly route: string | null }[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { route } of requests) counts.set(route ?? 'unknown', (counts.get(route ?? 'unknown') ?? 0) + 1);
  return counts;
}
