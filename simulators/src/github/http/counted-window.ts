/** A count as the API shows it. */
export interface RateStatus {
  readonly limit: number;
  readonly remaining: number;
  readonly used: number;
  /** Seconds since the epoch. */
  readonly reset: number;
}

/** How many, in how long. */
export interface WindowRule {
  readonly limit: number;
  readonly lengthMs: number;
}

interface WindowStart {
  readonly limit: number;
  /** Milliseconds since the epoch. */
  readonly endsAt: number;
  /** How much of it is gone already. */
  readonly used: number;
}

/** A count that ends at a fixed time. */
export interface CountedWindow {
  /** Milliseconds since the epoch. */
  readonly endsAt: number;
  readonly count: (cost: number) => void;
  readonly has: (cost: number) => boolean;
  readonly isFull: () => boolean;
  readonly status: () => RateStatus;
}

/** Begins a window. */
export function openWindow(start: WindowStart): CountedWindow {
  const { limit, endsAt } = start;
  let { used } = start;
  const remaining = () => Math.max(0, limit - used);
  return {
    endsAt,
    count: (cost) => {
      used += cost;
    },
    has: (cost) => remaining() >= cost,
    isFull: () => remaining() === 0,
    status: () => ({
      limit,
      remaining: remaining(),
      used: Math.min(used, limit),
      reset: Math.ceil(endsAt / 1000),
    }),
  };
}
