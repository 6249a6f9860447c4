import type { PlanningFact, ReplanCounts, ReplanDecision, ReplanType } from './model.ts';
import type { PlanningSettings } from './settings.ts';

/** Kind of replanning that has a limit of its own. */
type CountedKind =
  /** Questions to people, whoever wanted them. */
  'clarification' | 'redecomposition' | 'regeneration' | 'action_retry' | 'partial_replan' | 'plan_revision';

const kinds: Readonly<Partial<Record<ReplanType, CountedKind>>> = {
  task_redecomposition: 'redecomposition',
  action_regeneration: 'regeneration',
  retry: 'action_retry',
  partial_replan: 'partial_replan',
  plan_revision: 'plan_revision',
};

type ReplanTrigger = Pick<ReplanDecision, 'replan_type' | 'target_phase'>;

/**
 * Counts a fact that is a question or a replanning that was carried out: by kind, by trigger (`target_phase:replan_type`), and in
 * `total`. A fold over the journal, so that a pause changes nothing.
 */
export function countReplanFact(counts: ReplanCounts, fact: PlanningFact): ReplanCounts {
  if (fact.type === 'question') return addOne(counts, ['clarification']);
  return fact.type === 'replan_decision' && fact.executed ? countReplan(counts, fact.llm_decision) : counts;
}

/**
 * Adds one replanning that is carried out. A new goal gives the kinds their attempts back, but neither the total nor the
 * triggers nor the questions, so that a run that always finds a new goal ends as well.
 */
export function countReplan(counts: ReplanCounts, replan: ReplanTrigger): ReplanCounts {
  const kind = kinds[replan.replan_type];
  const counted = ['total', nameTrigger(replan), ...(kind === undefined ? [] : [kind])];
  const kept = replan.replan_type === 'goal_revision' ? withoutKinds(counts) : counts;
  return addOne(kept, counted);
}

function addOne(counts: ReplanCounts, names: readonly string[]): ReplanCounts {
  return { ...counts, ...Object.fromEntries(names.map((name) => [name, (counts[name] ?? 0) + 1])) };
}

function withoutKinds(counts: ReplanCounts): ReplanCounts {
  const given = new Set<string>(Object.values(kinds));
  return Object.fromEntries(Object.entries(counts).filter(([name]) => !given.has(name)));
}

/** Limit that forbids a replanning. */
export interface ReplanLimit {
  /** Setting that names it, below `planning.replanning`. */
  readonly name: string;
  readonly value: number;
}

/** Finds the limit that one more replanning would exceed; null while it may be carried out. */
export function findReplanLimit(
  replan: ReplanTrigger,
  { counts, settings }: { readonly counts: ReplanCounts; readonly settings: PlanningSettings['replanning'] },
): ReplanLimit | null {
  const { global } = settings;
  const same = counts[nameTrigger(replan)] ?? 0;
  const kind = replan.replan_type === 'clarification_request' ? 'clarification' : kinds[replan.replan_type];
  const limits = [
    { name: 'global.max_total_replans', value: global.max_total_replans, used: counts.total ?? 0 },
    ...(kind === undefined ? [] : [{ ...toLimit(kind, settings), used: counts[kind] ?? 0 }]),
    ...(global.infinite_loop_detection
      ? [{ name: 'global.same_trigger_max_count', value: global.same_trigger_max_count, used: same }]
      : []),
  ];
  const reached = limits.find(({ value, used }) => used >= value);
  return reached === undefined ? null : { name: reached.name, value: reached.value };
}

function toLimit(kind: CountedKind, settings: PlanningSettings['replanning']): ReplanLimit {
  const { goal_understanding: goal, task_decomposition: decomposition, action_sequence: sequence } = settings;
  const limits: Readonly<Record<CountedKind, readonly [name: string, value: number]>> = {
    clarification: ['goal_understanding.max_clarification_requests', goal.max_clarification_requests],
    redecomposition: [
      'task_decomposition.max_redecomposition_attempts',
      decomposition.max_redecomposition_attempts,
    ],
    regeneration: ['action_sequence.max_regeneration_attempts', sequence.max_regeneration_attempts],
    action_retry: ['execution.max_action_retries', settings.execution.max_action_retries],
    partial_replan: ['execution.max_partial_replans', settings.execution.max_partial_replans],
    plan_revision: ['reflection.max_plan_revisions', settings.reflection.max_plan_revisions],
  };
  const [name, value] = limits[kind];
  return { name, value };
}

function nameTrigger({ target_phase, replan_type }: ReplanTrigger): string {
  return `${target_phase}:${replan_type}`;
}

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
    return { kind: 'ask', overrideReason: `confidence ${confidence} needs confirmation by a person` };
  if (replan_type === 'clarification_request') return { kind: 'ask', overrideReason: null };
  return { kind: 'execute', isUnsure: confidence < sureConfidence };
}
