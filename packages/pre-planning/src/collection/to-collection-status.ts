import type { CollectionResult, CollectionStatus } from './collected-information.ts';
import type { InformationNeeds } from './information-needs.ts';

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
