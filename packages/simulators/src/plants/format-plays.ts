/** A plant, and the number of the play that showed it; null where none did, or none could be played. */
export interface PlantPlays {
  readonly name: string;
  readonly plays: number | null;
}

/** Formats a table of plants and the plays that each took, with the mean of those that were found. */
export function formatPlays(rows: readonly PlantPlays[]): string {
  const width = Math.max(5, ...rows.map(({ name }) => name.length));
  const found = rows.flatMap(({ plays }) => plays ?? []);
  const mean = found.reduce((sum, plays) => sum + plays, 0) / Math.max(1, found.length);
  return [
    `  ${'plant'.padEnd(width)}  trials until found`,
    ...rows.map(({ name, plays }) => `  ${name.padEnd(width)}  ${plays ?? 'not found, or not played here'}`),
    `  ${'mean'.padEnd(width)}  ${mean.toFixed(1)}`,
  ].join('\n');
}
