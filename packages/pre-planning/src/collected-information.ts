/** What became of one wanted piece of information. @see seed 004 §5.4 */
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

/** How collecting went as a whole. @see seed 004 §5.4 */
export interface CollectionStatus {
  readonly collection_results: readonly CollectionResult[];
  readonly total_tool_calls: number;
  /** Collected of wanted, from 0 to 1, rounded to two digits; 1 when nothing was wanted. */
  readonly collection_success_rate: number;
}

/** A value taken for granted because the real one could not be had. @see seed 004 §6.3.2 */
export interface Assumption {
  readonly info_id: string;
  readonly assumed_value: string;
  readonly reasoning: string;
  /** From 0 to 1. */
  readonly confidence: number;
}
