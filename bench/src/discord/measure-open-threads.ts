import type { BotFigures } from './fork-bot.ts';
import { openRoom } from './open-room.ts';

export interface OpenThreadsMemory {
  readonly historyCache: 'off' | 'gateway';
  readonly threads: number;
  /** Warm: after the first threads were answered in. */
  readonly before: BotFigures;
  readonly after: BotFigures;
}

/** So many people at a time wait for their answer. */
const atOnce = 10;

/** What the bot's process holds before and after it has answered in so many further threads. */
export async function measureOpenThreads(
  historyCache: OpenThreadsMemory['historyCache'],
  threads: number,
): Promise<OpenThreadsMemory> {
  const room = await openRoom({ settings: { HISTORY_CACHE: historyCache } });
  const openMany = async (count: number): Promise<void> => {
    let left = count;
    const openSome = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        await room.open(`question ${left}`);
        room.discord.clearRequests();
      }
    };
    await Promise.all(Array.from({ length: atOnce }, openSome));
  };
  try {
    await openMany(50);
    const before = await room.bot.measure();
    await openMany(threads);
    return { historyCache, threads, before, after: await room.bot.measure() };
  } finally {
    await room.close();
  }
}
