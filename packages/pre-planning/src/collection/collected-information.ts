import type { InformationNeeds } from './information-needs.ts';

/** Result for one wanted piece of information. @see seed 004 §5.4 */
export interface CollectionResult {
  readonly info_id: string;
  readonly status: 'collected' | 'failed' | 'assumed';
  /** Null unless it was collected. */
  readonly collected_data: { readonly summary: string; readonly details: string } | null;
  /** The value that stands in for it; null unless one was assumed. */
  readonly assumption_made: string | null;
  /** Real calls, retries included. */
  readonly tool_calls_used: number;
  /** ISO 8601, UTC. */
  readonly timestamp: string;
}

/** Result of collecting as a whole. @see seed 004 §5.4 */
export interface CollectionStatus {
  /** In the order of the plan. */
  readonly collection_results: readonly CollectionResult[];
  readonly total_tool_calls: number;
  /** Collected of wanted, from 0 to 1, rounded to two digits; 1 when nothing was wanted. */
  readonly collection_success_rate: number;
}

/** A result, and what it takes to go on from it. */
export interface CollectionRecord {
  readonly result: CollectionResult;
  /** The reason of a failure; null for a success. */
  readonly failure: { readonly reason: string; readonly isTransient: boolean } | null;
}

/** Puts results into the plan's order and counts. @see decision E11 */
export function toCollectionStatus(
  needs: Pick<InformationNeeds, 'collection_order'>,
  results: ReadonlyMap<string, CollectionResult>,
): CollectionStatus {
  const ordered = needs.collection_order.flatMap((id) => results.get(id) ?? []);
  const collected = ordered.filter(({ status }) => status === 'collected').length;
  const wanted = needs.collection_order.length;
  return {
    collection_results: ordered,
    total_tool_calls: ordered.reduce((sum, { tool_calls_used: calls }) => sum + calls, 0),
    collection_success_rate: wanted === 0 ? 1 : Math.round((100 * collected) / wanted) / 100,
  };
}
