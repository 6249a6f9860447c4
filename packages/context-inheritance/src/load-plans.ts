import type { Sanitizer } from './create-sanitizer.ts';
import type { InheritanceLog } from './inheritance-log.ts';
import type { KnownPeople } from './mask-people.ts';
import type { PlanRecord, PreviousContext } from './model.ts';
import { parsePlanEntries } from './plan-entry.ts';
import type { PreviousRunReader } from './ports.ts';
import { type PlanningRules, toPlanRecord } from './to-plan-record.ts';

export interface PlanParts {
  readonly reader: Pick<PreviousRunReader, 'readPlanning'>;
  readonly sanitize: Sanitizer;
  readonly people: KnownPeople;
  readonly log: Pick<InheritanceLog, 'skipped' | 'damagedLines'>;
}

/** Reads the planning histories of runs, newest first, and keeps the newest plans, however many runs there are. */
export async function loadPlans(
  contexts: readonly PreviousContext[],
  { most, rules, parts }: { readonly most: number; readonly rules: PlanningRules; readonly parts: PlanParts },
): Promise<readonly PlanRecord[]> {
  const records = await Promise.all(contexts.map((context) => loadPlan(context, { rules, parts })));
  return records.filter((record) => record !== null).slice(0, most);
}

async function loadPlan(
  { uuid, status, completedAt }: PreviousContext,
  { rules, parts }: { readonly rules: PlanningRules; readonly parts: PlanParts },
): Promise<PlanRecord | null> {
  try {
    const { entries, skippedLines } = parsePlanEntries((await parts.reader.readPlanning(uuid)) ?? []);
    parts.log.damagedLines(uuid, skippedLines);
    // Before anything is cut: half of a secret is not recognised as one.
    const clean = await sanitizeTexts(entries, parts);
    return toPlanRecord(clean, { run: { runUuid: uuid, status, completedAt }, rules });
  } catch (err) {
    parts.log.skipped(uuid, 'unreadable', err);
    return null;
  }
}

async function sanitizeTexts<Value>(value: Value, parts: PlanParts): Promise<Value> {
  const texts = new Set<string>();
  mapTexts(value, (text) => {
    texts.add(text);
    return text;
  });
  const pairs = [...texts].map(async (text) => [text, await parts.sanitize(text, parts.people)] as const);
  const clean = new Map(await Promise.all(pairs));
  return mapTexts(value, (text) => clean.get(text) ?? '');
}

/** The same value, each text in it replaced; keys and numbers stay. */
function mapTexts<Value>(value: Value, change: (text: string) => string): Value;
function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, change)]));
}
