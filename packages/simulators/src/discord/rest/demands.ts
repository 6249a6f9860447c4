import type { DiscordRoute } from './all-routes.ts';

/** Something that is to happen to one request instead of, before or after its work. */
export type Demand =
  | {
      readonly kind: 'fail';
      readonly status: number;
      readonly code: number;
      readonly message: string;
      readonly isDone: boolean;
    }
  | {
      readonly kind: 'limit';
      readonly retryAfterMs: number | null;
      readonly bodyRetryAfterMs: number | null;
      readonly code: number;
      readonly isGlobal: boolean;
      readonly isCloudflare: boolean;
    }
  | { readonly kind: 'hold'; readonly moment: 'before' | 'after'; readonly wait: () => Promise<void> };

export interface Demands {
  readonly add: (route: DiscordRoute, demand: Demand, times?: number) => void;
  readonly take: (route: DiscordRoute) => Demand | null;
  /** The next requests of whatever route are answered as if the token were wrong. */
  readonly refuseToken: (times: number) => void;
  readonly takeTokenRefusal: () => boolean;
}

/** Demands that wait, in order and by route. */
export function createDemands(): Demands {
  const waiting = new Map<DiscordRoute, Demand[]>();
  let refusals = 0;
  return {
    add: (route, demand, times = 1) => {
      const queue = waiting.get(route) ?? [];
      waiting.set(route, [...queue, ...Array.from({ length: times }, () => demand)]);
    },
    take: (route) => waiting.get(route)?.shift() ?? null,
    refuseToken: (times) => {
      refusals = times;
    },
    takeTokenRefusal: () => {
      if (refusals === 0) return false;
      refusals -= 1;
      return true;
    },
  };
}
