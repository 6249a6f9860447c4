const DISCORD_EPOCH_MS = 1_420_070_400_000n;

/** Draws ids that grow with time and never repeat, however many are drawn within a millisecond. */
export function createSnowflakes(now: () => number): () => string {
  let last = 0n;
  return () => {
    const earliest = (BigInt(Math.floor(now())) - DISCORD_EPOCH_MS) << 22n;
    last = earliest > last ? earliest : last + 1n;
    return String(last);
  };
}

/** Older first. Ids are decimal numbers too large for `number`, and the longer one is the greater. */
export function compareSnowflakes(one: string, other: string): number {
  if (one.length !== other.length) return one.length - other.length;
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
