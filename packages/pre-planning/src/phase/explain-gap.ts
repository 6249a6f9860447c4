import type { Locale } from '@agent/text';
import { assumptionTexts } from '../assumption/assumption-texts.ts';
import type { InformationGap } from '../assumption/information-gap.ts';
import { onlyReading } from '../tools/only-reading.ts';
import type { PrePlanningState } from './pre-planning-state.ts';

/** A gap that also says, in words for people, that its tool was not run because it does not only read. @see decision E14 */
export function explainGap(
  gap: InformationGap,
  { state, locale }: { readonly state: PrePlanningState; readonly locale: Locale },
): InformationGap {
  const { separator, withheldTool } = assumptionTexts[locale];
  const wasCalled = state.collection_results.some(
    ({ info_id: id, tool_calls_used: calls }) => id === gap.info_id && calls > 0,
  );
  const failure = state.failures.find(({ info_id: id }) => id === gap.info_id);
  if (wasCalled || !failure?.reason.includes(onlyReading)) return gap;
  return { ...gap, reason: `${withheldTool}${separator}${gap.reason}` };
}
