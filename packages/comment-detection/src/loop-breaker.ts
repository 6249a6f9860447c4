import type { CommentAuthor } from './model.ts';

/** When a comment of another bot was first seen; milliseconds of a clock that never goes back. */
export interface BotArrival {
  readonly login: string;
  readonly at: number;
}

const windowMs = 10 * 60_000;
const maxArrivals = 20;

export function isOtherBot(author: CommentAuthor | null): author is CommentAuthor {
  return author !== null && (author.kind === 'bot' || /\[bot\]$/i.test(author.login));
}

/** The arrivals that still count. */
export function recentArrivals(arrivals: readonly BotArrival[], now: number): readonly BotArrival[] {
  return arrivals.filter(({ at }) => now - at < windowMs);
}

/**
 * Bots of which more than 20 comments arrived within ten minutes: two programs that answer each other. What they
 * say is held back until they are quieter.
 *
 * @see decision B17
 */
export function findNoisyBots(arrivals: readonly BotArrival[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { login } of arrivals) counts.set(login, (counts.get(login) ?? 0) + 1);
  return new Set([...counts].flatMap(([login, count]) => (count > maxArrivals ? [login] : [])));
}
