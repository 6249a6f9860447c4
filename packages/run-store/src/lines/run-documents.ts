import { hostname as readHostname } from 'node:os';
import { z } from 'zod';
import { requireVersion } from '../context-store-error.ts';
import { parsedObject, toCamelCase, toSnakeCase } from '../disk/stored-values.ts';
import type { RunEnd } from '../journal-model.ts';
import { outcomes } from '../outcome.ts';
import type { Json, NewRun, RunMetadata } from '../run-model.ts';
import { hashTaskKey } from '../storage-names.ts';
import { formatFact } from './record-line.ts';
import { toUsageJson, usageShape } from './usage-json.ts';

/** Fields of `metadata.json`, in their order. */
const metadataShape = {
  uuid: z.string(),
  task_key: parsedObject,
  task_key_text: z.string(),
  task_key_hash: z.string(),
  host: z.string(),
  user: z.string().nullable(),
  created_at: z.string(),
  process_id: z.number(),
  hostname: z.string(),
  config: parsedObject,
  inherited_from_uuid: z.string().nullable(),
  inheritance_depth: z.number(),
  extra: parsedObject,
};
const metadataSchema = z.object(metadataShape);

/** The process that begins a run, and when. */
interface Beginning {
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
  readonly hostname?: string | undefined;
  readonly processId?: number | undefined;
}

/** Facts of a run that begins, as they are written down. */
export function toNewMetadata(
  run: NewRun,
  { now = Date.now, hostname = readHostname(), processId = process.pid }: Beginning,
): RunMetadata {
  return {
    ...run,
    createdAt: new Date(now()).toISOString(),
    processId,
    hostname,
    taskKeyHash: hashTaskKey(run.taskKeyText),
    inheritedFromUuid: run.inheritedFromUuid ?? null,
    inheritanceDepth: run.inheritanceDepth ?? 0,
  };
}

/** Version of a run: its record, and everything beside it. */
export const recordVersion = 1;

/** Makes the contents of `metadata.json`, which are also the first fact of a record. */
function toMetadataFile(metadata: RunMetadata): Json {
  // The version comes first of all: a record tells it by its first bytes.
  return { version: recordVersion, ...toSnakeCase(metadataShape, metadata) };
}

/** The text of the first line of a record, before it is sealed. */
export function formatOpened(metadata: RunMetadata): string {
  return formatFact({ name: 'opened', data: toMetadataFile(metadata), timestamp: metadata.createdAt });
}

/** The text of `metadata.json`. */
export function formatMetadata(metadata: RunMetadata): string {
  return formatDocument(toMetadataFile(metadata));
}

/** The text of a document for people. */
export function formatDocument(document: unknown): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/**
 * Reads the contents of `metadata.json` back. `place`: of what is read, in words for people. @throws when it is none
 * @throws {ContextStoreError} `other-version`
 */
export function parseMetadata(json: unknown, place: string): RunMetadata {
  requireVersion(json, { version: recordVersion, place });
  return toCamelCase(metadataSchema.parse(json));
}

const outcomeSchema = z
  .object({
    status: z.enum(outcomes),
    reason: z.string().nullable(),
    final_text: z.string().nullable(),
    statistics: z.object({
      model_calls: z.number(),
      tool_calls: z.number(),
      ...usageShape,
      duration_ms: z.number(),
    }),
    details: z.json().optional(),
    finished_at: z.string(),
  })
  .transform(({ statistics, ...end }) => ({ ...toCamelCase(end), statistics: toCamelCase(statistics) }));

/** The end of a run as it is kept. */
export function toOutcome(end: RunEnd, finishedAt: string) {
  const { modelCalls, toolCalls, durationMs, ...usage } = end.statistics;
  return {
    status: end.status,
    reason: end.reason,
    final_text: end.finalText,
    statistics: {
      model_calls: modelCalls,
      tool_calls: toolCalls,
      ...toUsageJson(usage),
      duration_ms: durationMs,
    },
    details: end.details,
    finished_at: finishedAt,
  };
}

/** Reads the contents of `outcome.json` back. @throws when it is no outcome */
export function parseOutcome(json: unknown): RunOutcome {
  return outcomeSchema.parse(json);
}

/** End of a run, and when that was: ISO 8601, UTC. */
export type RunOutcome = RunEnd & { readonly finishedAt: string };
