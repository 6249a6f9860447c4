import type { Locale } from '@agent/text';
import type { Assumption, InformationGap } from '../assumption/assumption-maker.ts';
import type { CollectionResult } from '../collection/collected-information.ts';
import {
  type InformationCategory,
  type InformationNeeds,
  isFailedPlan,
} from '../collection/information-needs.ts';
import { phaseTexts, toPercent } from '../texts.ts';
import { isUnderstandingSufficient, type RequestUnderstanding } from '../understanding/understanding.ts';

export interface ResultMaterial {
  readonly understanding: RequestUnderstanding;
  /** Least confidence of an understanding that suffices. */
  readonly understandingThreshold: number;
  readonly needs: InformationNeeds;
  /** Items that the model named beyond what is collected. */
  readonly omitted: number;
  readonly results: readonly CollectionResult[];
  readonly assumptions: readonly Assumption[];
  readonly gaps: readonly InformationGap[];
  /** Words of people about assumptions. */
  readonly constraints: readonly string[];
}

/** Assumptions less sure than this are worth checking. @see decision E20 */
const sureEnough = 0.7;

/** Puts together what planning is handed. @see seed 004 §7.1, decisions E19, E20 */
export function makeResult(material: ResultMaterial, locale: Locale): PrePlanningResult {
  const { understanding, constraints, assumptions, gaps } = material;
  return {
    request_understanding: {
      ...understanding,
      constraints: [...understanding.constraints, ...constraints],
    },
    collected_information: groupByCategory(material),
    assumptions,
    information_gaps: gaps,
    recommendations_for_planning: listRecommendations(material, locale),
  };
}

function groupByCategory({ needs, results }: ResultMaterial): PrePlanningResult['collected_information'] {
  const categories = new Map(needs.required_information.map(({ id, category }) => [id, category]));
  const groups: Partial<Record<InformationCategory, [string, string][]>> = {};
  for (const { info_id: id, collected_data: data } of results) {
    const category = categories.get(id);
    if (data === null || category === undefined) continue;
    groups[category] = [...(groups[category] ?? []), [id, data.details]];
  }
  return Object.fromEntries(
    Object.entries(groups).map(([category, entries]) => [category, Object.fromEntries(entries)]),
  );
}

function listRecommendations(material: ResultMaterial, locale: Locale): readonly string[] {
  const { understanding, understandingThreshold: threshold, needs, omitted, assumptions, gaps } = material;
  const texts = phaseTexts[locale].recommendation;
  const wanted = new Map(needs.required_information.map(({ id, description }) => [id, description || id]));
  return [
    ...(isUnderstandingSufficient(understanding, threshold)
      ? []
      : [texts.lowConfidence(toPercent(understanding.understanding_confidence, { threshold }))]),
    ...(isFailedPlan(needs) ? [texts.planFailed] : []),
    ...(omitted > 0 ? [texts.omitted(omitted)] : []),
    ...gaps.map(({ description, impact }) => texts.gap(description, impact)),
    ...assumptions
      .filter(({ confidence }) => confidence < sureEnough)
      .map(({ label, info_id: id, assumed_value: value }) =>
        texts.assumption(label, wanted.get(id) ?? id, value),
      ),
  ];
}

/** Result that the phase hands to planning: JSON in snake_case, as the seed writes it. @see seed 004 §7.1 */
export interface PrePlanningResult {
  readonly request_understanding: RequestUnderstanding;
  /** Texts by category, then by the id of what was wanted. */
  readonly collected_information: Readonly<
    Partial<Record<InformationCategory, Readonly<Record<string, string>>>>
  >;
  readonly assumptions: readonly Assumption[];
  readonly information_gaps: readonly InformationGap[];
  readonly recommendations_for_planning: readonly string[];
}

/** The result in the frame in which it is handed over. @see seed 004 §7.1 */
export interface PrePlanningHandOver {
  readonly pre_planning_result: PrePlanningResult;
}
