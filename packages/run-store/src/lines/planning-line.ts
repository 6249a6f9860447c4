import type { Logger } from '@agent/text';
import { z } from 'zod';
import { or, orNull, parsedObject, toCamelCase, toSnakeCase } from '../disk/stored-values.ts';
import type { FactEntry } from '../journal-model.ts';
import type { Json, JsonObject, RunMetadata } from '../run-model.ts';

/** Name of the facts of a record that say what a planning mode decided, and how far it came. */
export const planningFact = 'planning';

/** When, where and for which thread something was planned. */
export interface PlanningPlace {
  /** ISO 8601, as it was written. */
  readonly timestamp: string;
  /** The number of the issue or request, as text; null where none was written. */
  readonly issueId: string | null;
  readonly taskUuid: string;
}

/** Decision of a planning mode, or what came of it. @see seed 002 §13.2 */
export type PlanningEvent =
  | {
      readonly type: 'plan';
      readonly plan: JsonObject;
      /** Fingerprint of the request that it was made for; null where none was written. @see decision C14 */
      readonly requestSha256: string | null;
    }
  | {
      readonly type: 'revision';
      readonly reason: string;
      readonly changes: readonly Json[];
      readonly updatedPlan: JsonObject;
    }
  | { readonly type: 'reflection'; readonly evaluation: JsonObject }
  | { readonly type: 'verification'; readonly verificationResult: JsonObject }
  | {
      readonly type: 'replan_decision';
      readonly phase: string;
      readonly llmDecision: JsonObject;
      /** 0 to 1; null where none was written. */
      readonly confidence: number | null;
      readonly executed: boolean;
      readonly overrideReason: string | null;
      readonly replanCounts: JsonObject;
    };

/** A line of `planning/{uuid}.jsonl`. */
export type PlanningEntry = PlanningEvent & PlanningPlace;

/** The lines of one kind. */
export type PlanningEntryOf<Type extends PlanningEvent['type']> = Extract<
  PlanningEntry,
  { readonly type: Type }
>;

/** Run that a fact belongs to; null for one that has lost the beginning of its record. */
export type PlanningRun = Pick<RunMetadata, 'uuid' | 'taskKey'> | null;

/** Makes the line that a fact stands for; null for a fact that says nothing. */
export function toPlanningLine(
  { data, timestamp }: Pick<FactEntry, 'data' | 'timestamp'>,
  run: PlanningRun,
): string | null {
  const { success, data: fact } = factSchema.safeParse(data);
  if (!success) return null;
  const { type, ...rest } = fact;
  const place = { timestamp, issue_id: findIssueId(run?.taskKey ?? {}), task_uuid: run?.uuid ?? '' };
  return JSON.stringify({ type, ...place, ...rest });
}

/** Makes the line of `planning/{uuid}.jsonl`, its end included; '' for progress, which the file does not hold. */
export function toPlanningFileLine(fact: Pick<FactEntry, 'data' | 'timestamp'>, run: PlanningRun): string {
  const { success, data } = factSchema.safeParse(fact.data);
  return success && isKind(data.type) ? `${toPlanningLine(fact, run)}\n` : '';
}

const factSchema = z.looseObject({ type: z.string() });

function findIssueId({ number = null, task_id: taskId = null }: JsonObject): string | null {
  const id = number ?? taskId;
  return typeof id === 'number' || typeof id === 'string' ? String(id) : null;
}

function isKind(type: string): boolean {
  return Object.hasOwn(shapes, type);
}

/** Makes of a line of the file the data of its fact. @throws for one that says nothing */
export function toPlanningFact(json: unknown): Pick<FactEntry, 'data' | 'timestamp'> {
  const { timestamp } = lineSchema.parse(json);
  const { timestamp: _, ...data } = json as { readonly [key: string]: Json };
  return { data, timestamp };
}

const jsonValue = z.custom<Json>((value) => value !== undefined);

/** Fields of each kind of decision, in their order. */
const shapes = {
  plan: { plan: parsedObject, request_sha256: orNull(z.string()) },
  revision: {
    reason: or(z.string(), ''),
    changes: or<readonly Json[]>(z.array(jsonValue), []),
    updated_plan: parsedObject,
  },
  reflection: { evaluation: parsedObject },
  verification: { verification_result: parsedObject },
  replan_decision: {
    phase: or(z.string(), ''),
    llm_decision: or(parsedObject, {}),
    confidence: orNull(z.number()),
    executed: or(z.boolean(), false),
    override_reason: orNull(z.string()),
    replan_counts: or(parsedObject, {}),
  },
};

const place = {
  timestamp: z.string(),
  issue_id: orNull(z.union([z.string(), z.number()])).transform((id) => (id === null ? null : String(id))),
  task_uuid: z.string(),
};

const lineSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('plan'), ...shapes.plan, ...place }),
  z.object({ type: z.literal('revision'), ...shapes.revision, ...place }),
  z.object({ type: z.literal('reflection'), ...shapes.reflection, ...place }),
  z.object({ type: z.literal('verification'), ...shapes.verification, ...place }),
  z.object({ type: z.literal('replan_decision'), ...shapes.replan_decision, ...place }),
]);

/** Reads lines back, the progress between the decisions left out; what says nothing is logged and left out. */
export function parsePlanningLines(
  lines: readonly string[],
  { uuid, logger }: { readonly uuid: string; readonly logger: Logger | null },
): readonly PlanningEntry[] {
  const read = lines.filter((line) => line.trim() !== '').map(parsePlanningLine);
  const skipped = read.filter((entry) => entry === null).length;
  if (skipped > 0) logger?.warn({ uuid, skipped }, 'ignoring unreadable lines in plan history');
  return read.filter((entry) => entry !== null && entry !== 'progress');
}

/** Null for a line that says nothing: others do not depend on it. */
function parsePlanningLine(text: string): PlanningEntry | 'progress' | null {
  try {
    const json: unknown = JSON.parse(text);
    const { success, data } = factSchema.safeParse(json);
    if (success && !isKind(data.type)) return 'progress';
    return toCamelCase(lineSchema.parse(json));
  } catch {
    return null;
  }
}

/** Makes of an event the data of its fact. */
export function toPlanningData(event: PlanningEvent): Json {
  return { type: event.type, ...toSnakeCase(shapes[event.type], event as never) };
}
