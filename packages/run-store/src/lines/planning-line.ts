import type { Logger } from '@agent/text';
import { z } from 'zod';
import { parsedObject } from '../disk/stored-values.ts';
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
  return kinds.some((kind) => kind === type);
}

const kinds = ['plan', 'revision', 'reflection', 'verification', 'replan_decision'] as const;

/** Makes of a line of the file the data of its fact. @throws for one that says nothing */
export function toPlanningFact(json: unknown): Pick<FactEntry, 'data' | 'timestamp'> {
  const { timestamp } = lineSchema.parse(json);
  const { timestamp: _, ...data } = json as { readonly [key: string]: Json };
  return { data, timestamp };
}

const jsonValue = z.custom<Json>((value) => value !== undefined);

const place = {
  timestamp: z.string(),
  issue_id: z.union([z.string(), z.number()]).nullish(),
  task_uuid: z.string(),
};

const lineSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('plan'), plan: parsedObject, request_sha256: z.string().nullish(), ...place }),
  z.object({
    type: z.literal('revision'),
    reason: z.string().nullish(),
    changes: z.array(jsonValue).nullish(),
    updated_plan: parsedObject,
    ...place,
  }),
  z.object({ type: z.literal('reflection'), evaluation: parsedObject, ...place }),
  z.object({ type: z.literal('verification'), verification_result: parsedObject, ...place }),
  z.object({
    type: z.literal('replan_decision'),
    phase: z.string().nullish(),
    llm_decision: parsedObject.nullish(),
    confidence: z.number().nullish(),
    executed: z.boolean().nullish(),
    override_reason: z.string().nullish(),
    replan_counts: parsedObject.nullish(),
    ...place,
  }),
]);

type StoredLine = z.infer<typeof lineSchema>;

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
    const line = lineSchema.parse(json);
    const issueId = line.issue_id ?? null;
    return {
      ...fromStored(line),
      timestamp: line.timestamp,
      issueId: issueId === null ? null : String(issueId),
      taskUuid: line.task_uuid,
    };
  } catch {
    return null;
  }
}

/** Makes of an event the data of its fact. */
export function toPlanningData(event: PlanningEvent): Json {
  if (event.type === 'plan')
    return { type: event.type, plan: event.plan, request_sha256: event.requestSha256 };
  if (event.type === 'reflection') return { type: event.type, evaluation: event.evaluation };
  if (event.type === 'verification') {
    return { type: event.type, verification_result: event.verificationResult };
  }
  if (event.type === 'revision') {
    const { type, reason, changes, updatedPlan } = event;
    return { type, reason, changes, updated_plan: updatedPlan };
  }
  return {
    type: event.type,
    phase: event.phase,
    llm_decision: event.llmDecision,
    confidence: event.confidence,
    executed: event.executed,
    override_reason: event.overrideReason,
    replan_counts: event.replanCounts,
  };
}

function fromStored(line: StoredLine): PlanningEvent {
  if (line.type === 'plan')
    return { type: line.type, plan: line.plan, requestSha256: line.request_sha256 ?? null };
  if (line.type === 'reflection') return { type: line.type, evaluation: line.evaluation };
  if (line.type === 'verification') return { type: line.type, verificationResult: line.verification_result };
  if (line.type === 'revision') {
    const { type, reason, changes, updated_plan: updatedPlan } = line;
    return { type, reason: reason ?? '', changes: changes ?? [], updatedPlan };
  }
  return {
    type: line.type,
    phase: line.phase ?? '',
    llmDecision: line.llm_decision ?? {},
    confidence: line.confidence ?? null,
    executed: line.executed ?? false,
    overrideReason: line.override_reason ?? null,
    replanCounts: line.replan_counts ?? {},
  };
}
