import type { PrePlanningState } from '@agent/pre-planning';
import type { PreparationStage } from '../board/preparation-stage.ts';

/** Where a run stands with getting ready, for whoever looks on; null when it is ready. */
export function toPrePlanningStage({
  current_subphase: subphase,
  collection_plan: plan,
  collection_results: results,
}: PrePlanningState): PreparationStage | null {
  if (subphase === 'complete') return null;
  return { subphase, done: results.length, total: plan?.collection_order.length ?? 0 };
}
