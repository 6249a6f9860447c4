import type { TokenCounter } from '@agent/text';
import { listDecisions } from './decisions/format-decision.ts';
import { formatGoalBlock, formatPlanningBlock } from './format-planning-blocks.ts';
import { type BlockOptions, formatSystemBlock } from './format-system-block.ts';
import type { InheritanceContext, InheritedKind } from './model.ts';
import { combineSummaries } from './summaries.ts';
import { inheritanceTexts } from './texts.ts';
import type { PlanningRules } from './to-plan-record.ts';

/** The budget of what is inherited, and its form. */
export interface FitOptions extends BlockOptions {
  /** The limit for all blocks together, headings included. */
  readonly maxTokens: number;
  readonly countTokens: TokenCounter;
  readonly summaryPriority: 'latest' | 'merged';
  /** Planning mode has the plan history in two blocks of its own, in English. */
  readonly mode: 'normal' | 'planning';
  readonly rules: PlanningRules;
}

/** Blocks for the prompts; null where there is nothing to say, or no room for it. */
export interface FittedInheritance {
  /** For the end of the system prompt. @see seed 002 §4.3.1 */
  readonly system: string | null;
  /** For the phase in which the goal is understood. @see seed 002 §13.4.1 */
  readonly goal: string | null;
  /** For the system prompt of planning mode. @see seed 002 §13.8 */
  readonly planning: string | null;
  /** Kinds of content that the blocks really have. */
  readonly kinds: readonly InheritedKind[];
  /** The size of all blocks together, by the counter. */
  readonly tokens: number;
}

/** A reduction of a context. */
interface Cut {
  readonly summaries: number;
  /** Characters of the newest summary; null for all of it. */
  readonly summaryChars: number | null;
  readonly decisions: number;
  readonly hasPlanDetails: boolean;
  readonly hasPlans: boolean;
  readonly hasTools: boolean;
  readonly hasToolUses: boolean;
}

const nothing: FittedInheritance = { system: null, goal: null, planning: null, kinds: [], tokens: 0 };

/**
 * Fits a context to the budget. While it is too long: older summaries go, oldest first; then the details of plans; then
 * the tools; then the end of the newest summary. Where even that will not do, the plans go, then decisions, oldest
 * first; and rather than exceed the budget, everything. @see seed 002 §4.2.2, decision C10
 */
export function fitInheritance(context: InheritanceContext, options: FitOptions): FittedInheritance {
  const whole = toWhole(context, options);
  for (const cut of listCuts(whole)) {
    const fitted = render(context, cut, options);
    if (fitted.tokens <= options.maxTokens) return fitted;
  }
  const bare = { ...whole, summaries: 1, hasPlanDetails: false, hasTools: false, hasToolUses: false };
  const withoutPlans = { ...bare, hasPlans: false };
  const fewerDecisions = (decisions: number) => fitSummary(context, { ...withoutPlans, decisions }, options);
  const byDecisions = findLargest(whole.decisions, (count) => fewerDecisions(count) !== null);
  return (
    fitSummary(context, bare, options) ??
    fitSummary(context, withoutPlans, options) ??
    (byDecisions === null ? null : fewerDecisions(byDecisions)) ??
    nothing
  );
}

function toWhole(context: InheritanceContext, { summaryPriority }: FitOptions): Cut {
  return {
    summaries: summaryPriority === 'latest' ? 1 : context.previousContexts.length,
    summaryChars: null,
    decisions: listDecisions(context.keyDecisions).shown.length,
    hasPlanDetails: true,
    hasPlans: true,
    hasTools: true,
    hasToolUses: true,
  };
}

function listCuts(whole: Cut): readonly Cut[] {
  const fewer = Array.from({ length: Math.max(0, whole.summaries - 1) }, (_, index) => ({
    ...whole,
    summaries: whole.summaries - 1 - index,
  }));
  const overview = { ...whole, summaries: 1, hasPlanDetails: false };
  const withoutHistory = { ...overview, hasToolUses: false };
  return [whole, ...fewer, overview, withoutHistory, { ...withoutHistory, hasTools: false }];
}

/** Keeps as much of the newest summary's beginning as there is room for; null when there is room for none of it. */
function fitSummary(context: InheritanceContext, cut: Cut, options: FitOptions): FittedInheritance | null {
  const length = context.previousContexts[0]?.summary.length ?? 0;
  const attempt = (summaryChars: number) => render(context, { ...cut, summaryChars }, options);
  const found = findLargest(length, (chars) => attempt(chars).tokens <= options.maxTokens);
  return found === null ? null : attempt(found);
}

/**
 * The largest number up to `most` that will do, given that every smaller one does too; null when 0 does not. It is
 * looked for from below, so that the work depends on the budget and not on the length of what is cut.
 */
function findLargest(most: number, isEnough: (value: number) => boolean): number | null {
  if (!isEnough(0)) return null;
  let low = 0;
  let step = 256;
  for (; low + step <= most && isEnough(low + step); step *= 2) low += step;
  let high = Math.min(most, low + step);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (isEnough(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

function render(context: InheritanceContext, cut: Cut, options: FitOptions): FittedInheritance {
  const isPlanning = options.mode === 'planning';
  const summary = toSummary(context, cut, options);
  const plans = cut.hasPlans ? context.plans : [];
  const actions = cut.hasTools ? context.lastActionResults : null;
  const toolUses = cut.hasToolUses ? context.toolUses : null;
  const content = {
    summary,
    decisions: listDecisions(context.keyDecisions, cut.decisions),
    actions: context.lastActionResults?.length === 0 ? [] : actions,
    toolUses: context.toolUses?.length === 0 ? [] : toolUses,
    plans: isPlanning ? [] : plans,
    hasPlanDetails: cut.hasPlanDetails,
  };
  const system = formatSystemBlock(context, { ...options, content });
  const planned = { ...context, plans: isPlanning ? plans : [] };
  const goal = formatGoalBlock(planned, { ...options, hasPlanDetails: cut.hasPlanDetails });
  const planning = formatPlanningBlock(planned, { ...options, hasPlanDetails: cut.hasPlanDetails });
  const blocks = [system, goal, planning].filter((block) => block !== null);
  return {
    system,
    goal,
    planning,
    kinds: listKinds(summary, { hasPlans: plans.length > 0, hasTools: (toolUses?.length ?? 0) > 0 }),
    tokens: blocks.reduce((sum, block) => sum + options.countTokens(block), 0),
  };
}

function toSummary({ previousContexts }: InheritanceContext, cut: Cut, options: FitOptions): string {
  const shown = previousContexts.slice(0, cut.summaries);
  const whole = combineSummaries(shown, options.timeZone);
  if (cut.summaryChars === null || cut.summaryChars >= whole.length) return whole;
  // Half of a surrogate pair would reach the model as a broken character.
  const kept = whole
    .slice(0, cut.summaryChars)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd();
  return `${kept}${inheritanceTexts[options.locale].prompt.cut}`;
}

function listKinds(
  summary: string,
  { hasPlans, hasTools }: { readonly hasPlans: boolean; readonly hasTools: boolean },
): readonly InheritedKind[] {
  const kinds: readonly (readonly [InheritedKind, boolean])[] = [
    ['summary', summary !== ''],
    ['plans', hasPlans],
    ['tools', hasTools],
  ];
  return kinds.filter(([, isThere]) => isThere).map(([kind]) => kind);
}
