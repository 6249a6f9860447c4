import { combineSummaries } from './combine-summaries.ts';
import type { InheritanceSettings } from './inheritance-settings.ts';
import { loadPlans } from './load-plans.ts';
import type { KnownPeople } from './mask-people.ts';
import type { InheritanceContext, InheritedDecision, LastAction, PreviousContext } from './model.ts';
import { parseLastTool } from './parse-last-tool.ts';
import type { PreviousRunReader } from './ports.ts';
import { type CurrentComments, splitStaleDecisions, withoutDecisions } from './split-stale-decisions.ts';

const mostDecisions = 20;
type UsableContext = PreviousContext & { readonly summary: string };

export interface ContextParts {
  readonly comments: CurrentComments | null;
  readonly processingCount: number;
  readonly people: KnownPeople;
  readonly reader: PreviousRunReader;
  readonly settings: Pick<InheritanceSettings, 'maxPreviousPlans' | 'rules' | 'sanitise' | 'voice' | 'fit'>;
}

/** Puts together what a new run can take over; null when no earlier run left a usable summary. @see seed 002 §4.2.1 */
export async function buildInheritanceContext(
  contexts: readonly PreviousContext[],
  parts: ContextParts,
): Promise<InheritanceContext | null> {
  const usable = contexts.filter((context): context is UsableContext => context.summary !== null);
  const [newest] = usable;
  if (newest === undefined) return null;
  const { settings, comments, processingCount } = parts;
  const { valid, stale } = splitStaleDecisions(collectDecisions(usable), comments);
  settings.voice.stale(stale);
  const previousContexts = usable.map((context) => withoutStale(context, stale));
  const [plans, lastAction] = await Promise.all([
    loadPlans(usable, {
      most: settings.maxPreviousPlans,
      rules: settings.rules,
      parts: { ...parts, ...settings },
    }),
    readLastAction(newest, parts),
  ]);
  const { summaryPriority, timeZone } = settings.fit;
  const combined = summaryPriority === 'latest' ? previousContexts.slice(0, 1) : previousContexts;
  return {
    previousContexts,
    combinedSummary: combineSummaries(combined, timeZone),
    keyDecisions: valid.slice(0, mostDecisions),
    lastActionResults: lastAction === null ? [] : [lastAction],
    plans,
    processingCount,
    inheritedFromUuid: newest.uuid,
    inheritanceDepth: 1 + Math.max(...usable.map(({ inheritanceDepth }) => inheritanceDepth)),
  };
}

/** Each decision once, newest run first: what a later run repeats is its own, and rests on what it rested on before. */
function collectDecisions(contexts: readonly UsableContext[]): readonly InheritedDecision[] {
  const all = contexts.flatMap(({ uuid, keyDecisions }) =>
    keyDecisions.map((decision) => ({ ...decision, runUuid: uuid })),
  );
  const byText = new Map<string, InheritedDecision>();
  for (const decision of all.filter(({ text }) => text.trim() !== '')) {
    const newer = byText.get(decision.text);
    if (newer === undefined) byText.set(decision.text, decision);
    // A later run that repeats what an earlier one settled often does not say where it comes from.
    else if (newer.source === null) byText.set(decision.text, { ...newer, source: decision.source });
  }
  return [...byText.values()];
}

function withoutStale(context: UsableContext, stale: readonly InheritedDecision[]): UsableContext {
  const isStale = (text: string) => stale.some((decision) => decision.text === text);
  return {
    ...context,
    summary: withoutDecisions(context.summary, stale),
    keyDecisions: context.keyDecisions.filter(({ text }) => !isStale(text)),
  };
}

async function readLastAction(
  { uuid }: UsableContext,
  { reader, settings, people }: ContextParts,
): Promise<LastAction | null> {
  try {
    const line = await reader.readLastTool(uuid);
    const action = line === null ? null : parseLastTool(line);
    return action === null ? null : { ...action, tool: await settings.sanitise(action.tool, people) };
  } catch (err) {
    settings.voice.skipped(uuid, 'unreadable', err);
    return null;
  }
}
