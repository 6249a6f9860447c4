import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Logger } from '@agent/text';
import { z } from 'zod';
import { privateDirectory, privateFile, readFileIfThere, withFile } from '../disk/files.ts';
import { dropTornLine } from '../disk/lines.ts';
import { parsedObject } from '../disk/stored-values.ts';
import type { Json, JsonObject } from '../run-model.ts';

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
  | { readonly type: 'plan'; readonly plan: JsonObject }
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

/** Appends a line, synced; what a crash tore off at the end is cut away first. */
export async function appendPlanningEntry(path: string, entry: PlanningEntry): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: privateDirectory });
  await writeFile(path, '', { flag: 'a', mode: privateFile });
  await dropTornLine(path);
  await withFile(path, 'a', async (file) => {
    await file.writeFile(formatPlanningLine(entry));
    await file.datasync();
  });
}

/** The entries in their order, none when there is no file; lines that say nothing are logged and left out. */
export async function readPlanningFile(
  path: string,
  logger: Logger | null,
): Promise<readonly PlanningEntry[]> {
  const text = await readFileIfThere(path);
  if (text === null) return [];
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const entries = lines.map(parsePlanningLine).filter((entry) => entry !== null);
  const skipped = lines.length - entries.length;
  if (skipped > 0)
    logger?.warn({ path, skipped }, 'a history of plans has lines that say nothing; they are left out');
  return entries;
}

const jsonValue = z.custom<Json>((value) => value !== undefined);

const place = {
  timestamp: z.string(),
  issue_id: z.union([z.string(), z.number()]).nullish(),
  task_uuid: z.string(),
};

const lineSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('plan'), plan: parsedObject, ...place }),
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

/** A line of `planning/{uuid}.jsonl`, its end included. */
function formatPlanningLine(entry: PlanningEntry): string {
  const { timestamp, issueId, taskUuid } = entry;
  const stored = { ...toStored(entry), timestamp, issue_id: issueId, task_uuid: taskUuid };
  return `${JSON.stringify(stored)}\n`;
}

/** Reads a line back; null for one that says nothing: others do not depend on it. */
function parsePlanningLine(text: string): PlanningEntry | null {
  try {
    const line = lineSchema.parse(JSON.parse(text));
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

function toStored(entry: PlanningEntry) {
  if (entry.type === 'plan') return { type: entry.type, plan: entry.plan };
  if (entry.type === 'reflection') return { type: entry.type, evaluation: entry.evaluation };
  if (entry.type === 'verification') {
    return { type: entry.type, verification_result: entry.verificationResult };
  }
  if (entry.type === 'revision') {
    const { type, reason, changes, updatedPlan } = entry;
    return { type, reason, changes, updated_plan: updatedPlan };
  }
  return {
    type: entry.type,
    phase: entry.phase,
    llm_decision: entry.llmDecision,
    confidence: entry.confidence,
    executed: entry.executed,
    override_reason: entry.overrideReason,
    replan_counts: entry.replanCounts,
  };
}

function fromStored(line: StoredLine) {
  if (line.type === 'plan') return { type: line.type, plan: line.plan };
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
