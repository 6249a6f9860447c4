import type { Locale } from '@agent/text';
import {
  type Assumption,
  type AssumptionDecision,
  AssumptionMaker,
  type InformationGap,
} from '../assumption/assumption-maker.ts';
import { readOnlyNote } from '../collection/create-read-only-tools.ts';
import type { InformationNeed } from '../collection/information-needs.ts';
import { phaseTexts } from '../texts.ts';
import { makeMinimalUnderstanding } from '../understanding/understanding.ts';
import { formatAssumptionNotice } from './format-notices.ts';
import type { PhaseParts, PrePlanningRun } from './phase-parts.ts';
import type { PrePlanningState } from './pre-planning-state.ts';

/** Assumes what could not be collected, item by item, or says that it stays unknown. @see seed 004 §6 */
export async function assume(parts: PhaseParts, run: PrePlanningRun): Promise<'go' | 'interrupt'> {
  const { source, settings, keeper, check } = parts;
  const maker = new AssumptionMaker(source, {
    ...settings.prompt,
    ...settings.assumption,
    logger: settings.logger,
  });
  // What an earlier process assumed may not have been told any more.
  for (const assumption of keeper.state().assumptions) await tell(parts, assumption);
  for (let need = findUndecided(keeper.state()); need !== null; need = findUndecided(keeper.state())) {
    if ((await check(run)) === 'interrupt') return 'interrupt';
    const state = keeper.state();
    const { id, category } = need;
    const decision = await maker.makeAssumption({
      need,
      label: `A${state.assumption_count + 1}`,
      reason: state.failures.find(({ info_id: failed }) => failed === id)?.reason ?? '',
      understanding: state.understanding_result ?? makeMinimalUnderstanding(run.request),
      collected: listCollected(state, category),
      signal: run.signal,
    });
    await keeper.update((latest) => addDecision(latest, decision, settings.prompt.locale));
    if (decision.kind === 'assumed') await tell(parts, decision.assumption);
  }
  return 'go';
}

async function tell({ settings, keeper, announce }: PhaseParts, assumption: Assumption): Promise<void> {
  const { collection_plan: needs } = keeper.state();
  if (needs === null) return;
  const notice = settings.notifications.assumption
    ? formatAssumptionNotice(assumption, { ...settings.notices, needs })
    : null;
  await announce({ type: 'assumption-made', assumption, notice }, `assumption-made ${assumption.label}`);
}

/** Finds the next item to decide on, in the order of the plan. */
function findUndecided(state: PrePlanningState): InformationNeed | null {
  const decided = new Set([...state.assumptions, ...state.information_gaps].map(({ info_id: id }) => id));
  const failed = state.collection_results.filter(({ status }) => status === 'failed');
  const open = new Set(failed.map(({ info_id: id }) => id).filter((id) => !decided.has(id)));
  const id = state.collection_plan?.collection_order.find((one) => open.has(one));
  return state.collection_plan?.required_information.find((need) => need.id === id) ?? null;
}

/** Lists what was collected, the same category first. */
function listCollected(state: PrePlanningState, category: InformationNeed['category']) {
  const needs = state.collection_plan?.required_information ?? [];
  const related = new Set(needs.filter((need) => need.category === category).map(({ id }) => id));
  const collected = state.collection_results.filter(({ status }) => status === 'collected');
  return collected.toSorted(
    (one, other) => Number(related.has(other.info_id)) - Number(related.has(one.info_id)),
  );
}

/** @see decision E5 */
function addDecision(
  state: PrePlanningState,
  decision: AssumptionDecision,
  locale: Locale,
): Partial<PrePlanningState> {
  if (decision.kind === 'gap')
    return { information_gaps: [...state.information_gaps, explainGap(decision.gap, { state, locale })] };
  const { assumption } = decision;
  return {
    assumptions: [...state.assumptions, { ...assumption }],
    assumption_count: state.assumption_count + 1,
    collection_results: state.collection_results.map((result) =>
      result.info_id === assumption.info_id
        ? { ...result, status: 'assumed' as const, assumption_made: assumption.assumed_value }
        : result,
    ),
  };
}

/** A gap that also says, in words for people, that its tool was not run because it does not only read. @see decision E14 */
function explainGap(
  gap: InformationGap,
  { state, locale }: { readonly state: PrePlanningState; readonly locale: Locale },
): InformationGap {
  const { notAssumable, separator, withheldTool } = phaseTexts[locale].assumption;
  const wasCalled = state.collection_results.some(
    ({ info_id: id, tool_calls_used: calls }) => id === gap.info_id && calls > 0,
  );
  const failure = state.failures.find(({ info_id: id }) => id === gap.info_id);
  if (wasCalled || !failure?.reason.includes(readOnlyNote)) return gap;
  const reasons = [withheldTool, ...(gap.reason === notAssumable ? [] : [gap.reason])];
  return { ...gap, reason: reasons.join(separator) };
}
