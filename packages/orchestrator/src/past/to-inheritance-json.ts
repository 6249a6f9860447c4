import type { Json, RunMetadata, RunOverview } from '@agent/run-store';

interface Taken {
  readonly depth: number;
  readonly tokens: number;
}

/**
 * Counts how often runs inherited from earlier ones, how much, and how far back: of those that are running or paused, and of those
 * that the list of recent runs names. @see seed 002 §12.2
 */
export function toInheritanceJson({ running, pausing, paused, recent }: RunOverview): Json {
  const taken: readonly Taken[] = [
    ...[...running, ...pausing, ...paused].map(toTaken),
    ...recent.map(({ inheritanceDepth: depth, inheritedTokens: tokens }) => ({ depth, tokens })),
  ];
  const inheriting = taken.filter(({ depth }) => depth > 0);
  const tokens = inheriting.map((run) => run.tokens).sort((one, other) => one - other);
  return {
    runs: taken.length,
    inheriting: inheriting.length,
    rate: taken.length === 0 ? null : Math.round((inheriting.length / taken.length) * 1_000) / 1_000,
    tokens: {
      total: tokens.reduce((sum, count) => sum + count, 0),
      median: tokens[Math.floor((tokens.length - 1) / 2)] ?? null,
      max: tokens.at(-1) ?? null,
    },
    /** Runs by the number of generations before them; 0 for those that began anew. */
    depth: Object.fromEntries(
      [...new Set(taken.map(({ depth }) => depth))]
        .sort((one, other) => one - other)
        .map((depth) => [String(depth), taken.filter((run) => run.depth === depth).length]),
    ),
  };
}

function toTaken({ metadata }: { readonly metadata: RunMetadata }): Taken {
  const { inherited_tokens: tokens } = metadata.extra;
  return { depth: metadata.inheritanceDepth, tokens: typeof tokens === 'number' ? tokens : 0 };
}
