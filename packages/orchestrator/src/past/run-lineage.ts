import type { JsonObject, RunMetadata } from '@agent/run-store';
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
};

/** The part of it that `metadata.json` keeps among the facts of a run; nothing for a run without a past. */
export function toLineageJson({
  tokens,
  refusal,
  barrierAt,
  showsHistory,
  heard,
  retryOf,
}: RunLineage): JsonObject {
  return {
    ...(tokens > 0 ? { inherited_tokens: tokens } : {}),
    ...(refusal === null ? {} : { inheritance_refusal: refusal }),
    ...(barrierAt === null ? {} : { inheritance_barrier_at: barrierAt }),
    ...(showsHistory ? { shows_history: true } : {}),
    ...(heard.length === 0 ? {} : { inheritance_commands: heard }),
    ...(retryOf === null ? {} : { retry_of: retryOf }),
  };
}

const lineageSchema = z.object({
  inherited_tokens: z.number().default(0),
  inheritance_refusal: z.enum(['fresh-start', 'no-inherit']).nullable().default(null),
  inheritance_barrier_at: z.string().nullable().default(null),
  shows_history: z.boolean().default(false),
  inheritance_commands: z.array(z.string()).default([]),
  retry_of: z.string().nullable().default(null),
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
  };
}
