import { createHash } from 'node:crypto';
import type { SourceComment } from '@agent/comment-detection';
import type { DetailStore, PrePlanningState } from '@agent/pre-planning';
import type { RunState } from '@agent/run-store';
import { addUsage, nothingUsed } from '@agent/runner';
import { mapTexts } from '@agent/text';
import type { Redact } from '@agent/text/outgoing';
import { z } from 'zod';
import type { RunLogger } from '../host/ports.ts';
import type { KnownComment } from './known-comments.ts';
import { noCost, type PrePlanningCost } from './metering.ts';

const authorSchema = z.object({
  id: z.string(),
  login: z.string(),
  kind: z.enum(['person', 'bot']).optional(),
});

/** As it is kept on disk. */
export const knownCommentSchema = z
  .object({
    id: z.string(),
    author: authorSchema.nullable(),
    created_at: z.string(),
    updated_at: z.string().nullable(),
    hash: z.string().nullable(),
  })
  .transform(({ id, author, created_at: createdAt, updated_at: updatedAt, hash }): KnownComment => {
    return { comment: { id, author: author as SourceComment['author'], createdAt, updatedAt }, hash };
  });

/** The inverse of what the schema reads. */
export function toKnownCommentJson({ comment, hash }: KnownComment): z.input<typeof knownCommentSchema> {
  const { id, author, createdAt, updatedAt } = comment;
  return {
    id,
    author: author && { id: author.id, login: author.login, ...(author.kind && { kind: author.kind }) },
    created_at: createdAt,
    updated_at: updatedAt,
    hash,
  };
}

const count = z.number().nonnegative();

/** As it is kept on disk. */
export const prePlanningCostSchema = z
  .object({
    model_calls: count,
    input_tokens: count,
    output_tokens: count,
    cached_input_tokens: count.optional(),
    reasoning_tokens: count.optional(),
    cost_micros: count.optional(),
    tools: z.record(z.string(), count),
    active_ms: count,
  })
  .transform(
    (kept): PrePlanningCost => ({
      modelCalls: kept.model_calls,
      ...addUsage(nothingUsed, {
        inputTokens: kept.input_tokens,
        outputTokens: kept.output_tokens,
        cachedInputTokens: kept.cached_input_tokens,
        reasoningTokens: kept.reasoning_tokens,
        costMicros: kept.cost_micros,
      }),
      tools: kept.tools,
      activeMs: kept.active_ms,
    }),
  );

/** The inverse of what the schema reads. */
export function toCostJson(cost: PrePlanningCost): z.input<typeof prePlanningCostSchema> {
  return {
    model_calls: cost.modelCalls,
    input_tokens: cost.inputTokens,
    output_tokens: cost.outputTokens,
    cached_input_tokens: cost.cachedInputTokens,
    reasoning_tokens: cost.reasoningTokens,
    cost_micros: cost.costMicros,
    tools: cost.tools,
    active_ms: cost.activeMs,
  };
}

const keptSchema = z.object({
  known_comments: z.array(knownCommentSchema),
  cost: prePlanningCostSchema,
  state: z.unknown(),
});

/** Progress of a run's pre-planning. */
export interface KeptPrePlanning {
  /** The comments that were taken in. */
  readonly knownComments: readonly KnownComment[];
  /** Until the conversation is opened, whose first line says it from then on. */
  readonly cost: PrePlanningCost;
  /** As the library keeps it. */
  readonly state: unknown;
}

export interface PrePlanningFiles {
  /** Resolves when it is kept; one after the other, in the order of the calls. */
  readonly save: (kept: KeptPrePlanning) => Promise<void>;
  /** `planning/pre_planning/{id}.json`, with a mark where an id has capitals. @see decision E15 */
  readonly details: DetailStore;
}

const stateName = 'pre_planning_state.json';

/** Reads what an earlier process kept of a run; null when there is nothing, or nothing that can be read. */
export async function readKeptPrePlanning(
  state: Pick<RunState, 'read'>,
  logger: Pick<RunLogger, 'warn'>,
): Promise<KeptPrePlanning | null> {
  try {
    const written = await state.read(stateName);
    if (written === null) return null;
    const kept = keptSchema.parse(written);
    return { knownComments: kept.known_comments, cost: kept.cost, state: kept.state };
  } catch (error) {
    logger.warn({ err: error }, 'failed to read pre-planning progress');
    return null;
  }
}

/** `pre_planning_state.json` in the state of a run, and the long details beside it. @see seed 004 §12.1 */
export function createPrePlanningFiles(runState: Pick<RunState, 'write'>): PrePlanningFiles {
  return {
    save: ({ knownComments, cost, state }) =>
      runState.write(stateName, {
        known_comments: knownComments.map(toKnownCommentJson),
        cost: toCostJson(cost),
        state,
      }),
    details: {
      save: (infoId, details) =>
        runState.write(`planning/pre_planning/${nameDetails(infoId)}`, { info_id: infoId, details }),
    },
  };
}

/** Reads what pre-planning has cost a run whose conversation is not opened yet. */
export async function readPrePlanningCost(
  state: Pick<RunState, 'read'>,
  logger: RunLogger,
): Promise<PrePlanningCost> {
  return (await readKeptPrePlanning(state, logger))?.cost ?? noCost;
}

/** Names two files for ids that only case tells apart, also where case makes no difference: `~` is in no id. */
function nameDetails(infoId: string): string {
  if (infoId === infoId.toLowerCase()) return `${infoId}.json`;
  return `${infoId}~${createHash('sha256').update(infoId).digest('hex').slice(0, 8)}.json`;
}

/** Words of the form itself; whoever takes one for a password has it in every such file anyway. */
const formWords: ReadonlySet<string> = new Set<
  | PrePlanningState['current_subphase']
  | PrePlanningState['collection_results'][number]['status']
  | NonNullable<PrePlanningState['collection_plan']>['required_information'][number]['category']
>([
  'understanding',
  'collection_planning',
  'collection',
  'assumption',
  'complete',
  'collected',
  'failed',
  'assumed',
  'codebase',
  'context',
  'external',
]);

/**
 * The state as it may lie on a disk: it holds what models and people said. What refers to an item by its id still does,
 * also where the id itself was a secret.
 */
export function redactState(state: PrePlanningState, redact: Redact): PrePlanningState {
  const ids = (state.collection_plan?.required_information ?? []).map(({ id }) => id);
  return mapTexts(state, (text) => {
    const shown = redact(text);
    if (shown === text || formWords.has(text)) return text;
    const item = ids.indexOf(text);
    return item === -1 ? shown : `redacted-${item + 1}`;
  });
}
