import { mapTexts } from '@agent/text';
import type { InheritanceSettings } from './context-inheritance-options.ts';
import type { KnownPeople, Sanitizer } from './create-sanitizer.ts';
import { type PresentState, resolveDecisions } from './decisions/resolve-decisions.ts';
import type { LoadedContext } from './load-previous-contexts.ts';
import type { InheritanceContext, PlanRecord, PreviousContext, ToolUse } from './model.ts';
import { parseToolHistory } from './parse-tool-history.ts';
import { parsePlanEntries } from './plan-entries.ts';
import type { InheritanceLog } from './select-runs.ts';
import { combineSummaries } from './summaries.ts';
import { addUpVerifications, type PlanningRules, toPlanRecord } from './to-plan-record.ts';

const mostTools = 20;
type UsableContext = PreviousContext & { readonly summary: string };
type Inherited = LoadedContext<UsableContext>;

export interface ContextParts {
  readonly present: PresentState;
  readonly processingCount: number;
  readonly people: KnownPeople;
  readonly settings: Pick<InheritanceSettings, 'maxPreviousPlans' | 'rules' | 'sanitize' | 'log' | 'fit'>;
}

/** Puts together what a new run can inherit; null when no earlier run left a usable summary. @see seed 002 §4.2.1 */
export async function buildInheritanceContext(
  loaded: readonly LoadedContext[],
  parts: ContextParts,
): Promise<InheritanceContext | null> {
  const inherited = loaded.filter((one): one is Inherited => one.context.summary !== null);
  const usable = inherited.map(({ context }) => context);
  const [first] = inherited;
  if (first === undefined) return null;
  const { context: newest } = first;
  const { settings, present, processingCount } = parts;
  const { decisions, retracted, conflicts } = await resolveDecisions(usable, present);
  settings.log.retracted(retracted);
  const open = new Set(decisions.filter(({ state }) => state.kind === 'open').map(({ text }) => text));
  const replaced = decisions.filter(({ state }) => state.kind === 'replaced');
  const outdated = [...retracted, ...replaced].filter(({ text }) => !open.has(text));
  const previousContexts = usable.map((context) => ({
    ...context,
    summary: withoutDecisions(context.summary, outdated),
  }));
  const [history, tools] = await Promise.all([
    loadPlans(inherited, {
      most: settings.maxPreviousPlans,
      rules: settings.rules,
      parts: { ...parts, ...settings },
    }),
    readToolHistory(first, parts),
  ]);
  const { summaryPriority, timeZone } = settings.fit;
  const combined = summaryPriority === 'latest' ? previousContexts.slice(0, 1) : previousContexts;
  return {
    previousContexts,
    combinedSummary: combineSummaries(combined, timeZone),
    keyDecisions: decisions,
    retractedDecisions: retracted,
    conflicts,
    ...tools,
    ...history,
    processingCount,
    inheritedFromUuid: newest.uuid,
    inheritanceDepth: 1 + Math.max(...usable.map(({ inheritanceDepth }) => inheritanceDepth)),
  };
}

type InheritedTools = Pick<InheritanceContext, 'lastActionResults' | 'toolUses' | 'isToolHistoryCut'>;

/** They could not be read, which is no "none". */
const noTools: InheritedTools = { lastActionResults: null, toolUses: null, isToolHistoryCut: false };

async function readToolHistory(
  { context: { uuid }, lines }: Inherited,
  { settings, people }: ContextParts,
): Promise<InheritedTools> {
  const clean = (text: string) => settings.sanitize(text, people);
  if (lines === null) return noTools;
  try {
    const { lastAction: last, uses, isCut } = parseToolHistory(lines.tools);
    const failureOf = async (failure: string | null) => (failure === null ? null : clean(failure));
    const lastAction = last && {
      ...last,
      tool: await clean(last.tool),
      failure: await failureOf(last.failure),
    };
    return {
      lastActionResults: lastAction === null ? [] : [lastAction],
      toolUses: await Promise.all(byCalls(uses).map((use) => cleanUse(use, clean))),
      isToolHistoryCut: isCut || uses.length > mostTools,
    };
  } catch (err) {
    settings.log.skipped(uuid, 'unreadable', err);
    return noTools;
  }
}

function byCalls(uses: readonly ToolUse[]): readonly ToolUse[] {
  return uses.toSorted((one, other) => other.calls - one.calls).slice(0, mostTools);
}

async function cleanUse(use: ToolUse, clean: (text: string) => Promise<string>): Promise<ToolUse> {
  const failures = use.failures.map(async ([kind, count]) => [await clean(kind), count] as const);
  return { ...use, tool: await clean(use.tool), failures: await Promise.all(failures) };
}

interface PlanParts {
  readonly sanitize: Sanitizer;
  readonly people: KnownPeople;
  readonly log: Pick<InheritanceLog, 'skipped' | 'damagedLines'>;
}

/**
 * Reads the planning histories of runs, newest first, and keeps the newest plans, however many runs there are. What was
 * verified adds up over all of them.
 */
async function loadPlans(
  contexts: readonly Inherited[],
  { most, rules, parts }: { readonly most: number; readonly rules: PlanningRules; readonly parts: PlanParts },
): Promise<Pick<InheritanceContext, 'plans' | 'verification'>> {
  if (most <= 0) return { plans: [], verification: null };
  const loaded = await Promise.all(contexts.map((context) => loadPlan(context, { rules, parts })));
  const records = loaded.filter((record) => record !== null);
  return { plans: records.slice(0, most), verification: addUpVerifications(records) };
}

async function loadPlan(
  { context: { uuid, status, completedAt }, lines }: Inherited,
  { rules, parts }: { readonly rules: PlanningRules; readonly parts: PlanParts },
): Promise<PlanRecord | null> {
  if (lines === null) return null;
  try {
    const { entries, skippedLines } = parsePlanEntries(lines.planning);
    parts.log.damagedLines(uuid, skippedLines);
    // Before anything is cut: half of a secret is not recognized as one.
    const clean = await sanitizeTexts(entries, parts);
    return toPlanRecord(clean, { run: { runUuid: uuid, status, completedAt }, rules });
  } catch (err) {
    parts.log.skipped(uuid, 'unreadable', err);
    return null;
  }
}

/** Cleans every text of a JSON value, each text once. */
export async function sanitizeTexts<Value>(
  value: Value,
  parts: Pick<PlanParts, 'sanitize' | 'people'>,
): Promise<Value> {
  const texts = new Set<string>();
  mapTexts(value, (text) => {
    texts.add(text);
    return text;
  });
  const pairs = [...texts].map(async (text) => [text, await parts.sanitize(text, parts.people)] as const);
  const clean = new Map(await Promise.all(pairs));
  return mapTexts(value, (text) => clean.get(text) ?? '');
}

/** A shorter text may stand in a line by chance, and must be all of it. */
const shortestQuote = 8;

/** Removes the lines of a summary that repeat a retracted or replaced decision word for word. */
export function withoutDecisions(summary: string, outdated: readonly { readonly text: string }[]): string {
  const texts = outdated.map(({ text }) => text.trim()).filter((text) => text !== '');
  if (texts.length === 0) return summary;
  const kept = summary.split('\n').filter((line) => !texts.some((text) => isRepeated(line, text)));
  return kept.join('\n').trim();
}

function isRepeated(line: string, text: string): boolean {
  if (text.length >= shortestQuote) return line.includes(text);
  return line.replace(/^[\s>]*(?:[-*+・]|\d{1,3}[.)])?\s*/, '').trim() === text;
}
