import { formatTime, type Locale } from '@agent/text';
import { formatDecision, type ListedDecisions } from './decisions/format-decision.ts';
import { listFailures, mostSubtasks } from './format-planning-blocks.ts';
import { fenceText, shortenUuid, toPercent } from './format-values.ts';
import type { InheritanceContext, LastAction, PlanRecord, ToolUse } from './model.ts';
import { inheritanceTexts, type PromptTexts } from './texts.ts';

/** Parts of a context that stand in the block. */
export interface SystemBlockContent {
  readonly summary: string;
  readonly decisions: ListedDecisions;
  /** Null: left out for want of room, or never read. */
  readonly actions: readonly LastAction[] | null;
  /** Null: left out for want of room, or never read. */
  readonly toolUses: readonly ToolUse[] | null;
  readonly plans: readonly PlanRecord[];
  /** Names the subtasks and failures of plans, not only their goals. */
  readonly hasPlanDetails: boolean;
}

export interface BlockOptions {
  readonly locale: Locale;
  readonly timeZone: string;
}

/** The block for the end of the system prompt. @see seed 002 §4.3.1 */
export function formatSystemBlock(
  context: InheritanceContext,
  { content, locale, timeZone }: BlockOptions & { readonly content: SystemBlockContent },
): string {
  const texts = inheritanceTexts[locale].prompt;
  const latest = context.previousContexts[0]?.completedAt ?? '';
  const plans = content.plans.flatMap((record) =>
    formatPlan(record, { texts, isDetailed: content.hasPlanDetails }),
  );
  const { conflicts } = context;
  const { shown, leftOut, trustedLeftOut } = content.decisions;
  const decisions = shown.map((one) => formatDecision(one, { texts, timeZone, conflicts }));
  if (leftOut > 0) decisions.push(`- ${texts.decision.leftOut(leftOut, trustedLeftOut)}`);
  const actions = content.actions?.map((action) => formatAction(action, texts));
  const missing = context.lastActionResults === null ? texts.unread : texts.leftOut;
  const reference = formatReference(context, { toolUses: content.toolUses, texts });
  const sections = [
    `${texts.countHeading}\n${texts.count(context.processingCount)}`,
    `${texts.timeHeading}\n${formatTime(latest, timeZone)}`,
    [
      `${texts.summaryHeading}\n${content.summary === '' ? texts.none : fenceText(content.summary)}`,
      ...(plans.length === 0 ? [] : [fenceText([texts.plansHeading, ...plans].join('\n'))]),
    ].join('\n\n'),
    `${texts.decisionsHeading}\n${formatList(decisions, texts.none)}`,
    [
      `${texts.resultHeading}\n${actions === undefined ? missing : formatList(actions, texts.none)}`,
      ...(reference.length === 0 ? [] : [fenceText(reference.join('\n'))]),
    ].join('\n\n'),
  ];
  return [texts.title, texts.introduction, ...sections, `---\n${texts.closing}`].join('\n\n');
}

function formatList(lines: readonly string[], none: string): string {
  return lines.length === 0 ? none : fenceText(lines.join('\n'));
}

function formatAction({ tool, status, failure }: LastAction, texts: PromptTexts): string {
  const kind = failure === null ? '' : ` (${texts.failureKind(failure)})`;
  return `- ${tool}: ${texts.toolStatus[status]}${kind}`;
}

/** Names the model and the tools of the newest run. @see seed 002 §2.2 */
function formatReference(
  { previousContexts, toolUses: read, isToolHistoryCut }: InheritanceContext,
  { toolUses, texts }: { readonly toolUses: readonly ToolUse[] | null; readonly texts: PromptTexts },
): readonly string[] {
  const { model = null, llmProvider: provider = null } = previousContexts[0]?.metadata ?? {};
  const uses = (toolUses ?? []).map(({ tool, calls, failures }) => {
    const failed = failures.reduce((sum, [, count]) => sum + count, 0);
    const kinds = failures.map(([kind, count]) =>
      count === 1 ? texts.failureKind(kind) : `${texts.failureKind(kind)} × ${count}`,
    );
    return `- ${texts.toolLine({ tool, calls, failed, kinds: kinds.join(', ') })}`;
  });
  return [
    ...(model === null ? [] : [texts.model({ model, provider })]),
    ...(toolUses === null ? [`${texts.toolsHeading} ${read === null ? texts.unread : texts.leftOut}`] : []),
    ...(uses.length === 0 ? [] : [texts.toolsHeading, ...uses]),
    ...(uses.length > 0 && isToolHistoryCut ? [`- ${texts.toolsCut}`] : []),
  ];
}

function formatPlan(
  { runUuid, plan, execution }: PlanRecord,
  { texts, isDetailed }: { readonly texts: PromptTexts; readonly isDetailed: boolean },
): readonly string[] {
  if (plan === null) return [];
  const percent = toPercent(plan.executedCount, plan.actionCount);
  const overview = `- #${shortenUuid(runUuid)} ${plan.goal} (${texts.planLine(plan.subtasks.length, percent)})`;
  if (!isDetailed) return [overview];
  return [
    overview,
    ...plan.subtasks
      .slice(0, mostSubtasks)
      .map(({ id, description }) => `  - ${[id, description].filter(Boolean).join(': ')}`),
    ...listFailures(execution).map((failure) => `  - ${texts.toolStatus.error}: ${failure}`),
  ];
}
