/** Milliseconds as people read seconds: `600`, `0.2`; never 0 for a time that is not none. */
export function toSeconds(milliseconds: number): number {
  return rounded(milliseconds / 1_000);
}

/** Milliseconds as people read minutes: `120`, `1.5`. */
export function toMinutes(milliseconds: number): number {
  return rounded(milliseconds / 60_000);
}

function rounded(value: number): number {
  return value < 1 ? Number(value.toPrecision(1)) : Math.round(value * 10) / 10;
}
