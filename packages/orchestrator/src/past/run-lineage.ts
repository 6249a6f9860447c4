import type { Json, JsonObject, RunMetadata, RunOverview } from '@agent/run-store';
import { z } from 'zod';

/** Origin of a run: what it inherits, and what people told it about that; fixed when it begins. */
export interface RunLineage {
  /** The newest run that it takes something over from; null for one that begins anew. */
  readonly fromUuid: string | null;
  /** Generations before it; 0 for one that begins anew. */
  readonly depth: number;
  /** Tokens of what is taken over. */
  readonly tokens: number;
  readonly refusal: 'fresh-start' | 'no-inherit' | null;
  /** `/fresh-start`: no later run takes over what ended before this moment (ISO 8601). */
  readonly barrierAt: string | null;
  /** True where `/show-history` was asked for. */
  readonly showsHistory: boolean;
  /** Ids of the comments that commanded any of this, whoever wrote them: they are heard once. */
  readonly heard: readonly string[];
  /** The run that failed and is gone on from; null for any other. */
  readonly retryOf: string | null;
  /** The run that was stopped and whose plan goes on; null for any other. @see seed 002 §13.3 */
  readonly planOf: string | null;
}

/** A run without a past. */
export const noLineage: RunLineage = {
  fromUuid: null,
  depth: 0,
  tokens: 0,
  refusal: null,
  barrierAt: null,
  showsHistory: false,
  heard: [],
  retryOf: null,
  planOf: null,
};

/** The part of it that `metadata.json` keeps among the facts of a run; nothing for a run without a past. */
export function toLineageJson({
  tokens,
  refusal,
  barrierAt,
  showsHistory,
  heard,
  retryOf,
  planOf,
}: RunLineage): JsonObject {
  return {
    ...(tokens > 0 ? { inherited_tokens: tokens } : {}),
    ...(refusal === null ? {} : { inheritance_refusal: refusal }),
    ...(barrierAt === null ? {} : { inheritance_barrier_at: barrierAt }),
    ...(showsHistory ? { shows_history: true } : {}),
    ...(heard.length === 0 ? {} : { inheritance_commands: heard }),
    ...(retryOf === null ? {} : { retry_of: retryOf }),
    ...(planOf === null ? {} : { plan_of: planOf }),
  };
}

const lineageSchema = z.object({
  inherited_tokens: z.number().default(0),
  inheritance_refusal: z.enum(['fresh-start', 'no-inherit']).nullable().default(null),
  inheritance_barrier_at: z.string().nullable().default(null),
  shows_history: z.boolean().default(false),
  inheritance_commands: z.array(z.string()).default([]),
  retry_of: z.string().nullable().default(null),
  plan_of: z.string().nullable().default(null),
});

/** Reads it back. */
export function parseLineage(
  metadata: Pick<RunMetadata, 'inheritedFromUuid' | 'inheritanceDepth' | 'extra'>,
): RunLineage {
  const json = lineageSchema.parse(metadata.extra);
  return {
    fromUuid: metadata.inheritedFromUuid,
    depth: metadata.inheritanceDepth,
    tokens: json.inherited_tokens,
    refusal: json.inheritance_refusal,
    barrierAt: json.inheritance_barrier_at,
    showsHistory: json.shows_history,
    heard: json.inheritance_commands,
    retryOf: json.retry_of,
    planOf: json.plan_of,
  };
}

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
