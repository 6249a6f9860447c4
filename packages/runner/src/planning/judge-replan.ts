import type { ReplanCounts, ReplanDecision } from './model.ts';
import { findReplanLimit, type ReplanLimit } from './replan-limits.ts';
import type { PlanningSettings } from './settings.ts';

/** Use that is made of a model's decision to replan. */
export type ReplanVerdict =
  /** The model sees no need, or replanning is switched off. */
  | { readonly kind: 'none' }
  /** Its confidence is below every band. */
  | { readonly kind: 'ignore'; readonly overrideReason: string }
  /** People decide: it asks for them, or is not sure enough to go on without them. */
  | { readonly kind: 'ask'; readonly overrideReason: string | null }
  | { readonly kind: 'execute'; readonly isUnsure: boolean }
  | { readonly kind: 'limit'; readonly limit: ReplanLimit; readonly overrideReason: string };

interface JudgeReplanOptions {
  readonly counts: ReplanCounts;
  readonly settings: PlanningSettings['replanning'];
  /** True once people answered a question about it: then what they would be asked about is confirmed. */
  readonly isAnswered: boolean;
}

/** Confidence from which a replanning is carried out without a warning. */
const sureConfidence = 0.8;

/**
 * Judges a decision to replan: from 0.8 it is carried out, from `min_confidence_threshold` (0.5) with a warning, from
 * `user_confirmation_threshold` (0.3) people are asked, below it is ignored. What would exceed a limit is neither.
 */
export function judgeReplan(
  decision: ReplanDecision,
  { counts, settings, isAnswered }: JudgeReplanOptions,
): ReplanVerdict {
  const { enabled, llm_decision: bands } = settings;
  const { confidence, replan_type } = decision;
  if (!enabled || !decision.replan_needed || replan_type === 'none') return { kind: 'none' };
  const { min_confidence_threshold: confirmed, user_confirmation_threshold: answered } = bands;
  const isConfirmed = confidence >= (isAnswered ? Math.min(answered, confirmed) : confirmed);
  const mayAsk = bands.require_user_confirmation_on_low_confidence;
  if (!isConfirmed && (!mayAsk || confidence < bands.user_confirmation_threshold)) {
    return { kind: 'ignore', overrideReason: `confidence ${confidence} is too low` };
  }
  const meant = isConfirmed ? decision : { ...decision, replan_type: 'clarification_request' as const };
  const limit = findReplanLimit(meant, { counts, settings });
  if (limit !== null) {
    return { kind: 'limit', limit, overrideReason: `${limit.name} (${limit.value}) is reached` };
  }
  if (!isConfirmed)
    return { kind: 'ask', overrideReason: `confidence ${confidence} needs the word of people` };
  if (replan_type === 'clarification_request') return { kind: 'ask', overrideReason: null };
  return { kind: 'execute', isUnsure: confidence < sureConfidence };
}
