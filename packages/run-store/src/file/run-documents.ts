import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { z } from 'zod';
import { toDamaged } from '../context-store-error.ts';
import { readFileIfThere } from '../disk/files.ts';
import { parsedObject } from '../disk/stored-values.ts';
import type { RunEnd } from '../journal-model.ts';
import { toJournalFiles } from '../places.ts';
import type { RunMetadata } from '../run-model.ts';

const metadataSchema = z
  .object({
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
  })
  .transform((file) => ({
    uuid: file.uuid,
    taskKey: file.task_key,
    taskKeyText: file.task_key_text,
    taskKeyHash: file.task_key_hash,
    host: file.host,
    user: file.user,
    createdAt: file.created_at,
    processId: file.process_id,
    hostname: file.hostname,
    config: file.config,
    inheritedFromUuid: file.inherited_from_uuid,
    inheritanceDepth: file.inheritance_depth,
    extra: file.extra,
  }));

/** The text of `metadata.json`. */
export function formatMetadata(metadata: RunMetadata): string {
  const file = {
    uuid: metadata.uuid,
    task_key: metadata.taskKey,
    task_key_text: metadata.taskKeyText,
    task_key_hash: metadata.taskKeyHash,
    host: metadata.host,
    user: metadata.user,
    created_at: metadata.createdAt,
    process_id: metadata.processId,
    hostname: metadata.hostname,
    config: metadata.config,
    inherited_from_uuid: metadata.inheritedFromUuid,
    inheritance_depth: metadata.inheritanceDepth,
    extra: metadata.extra,
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

/** Reads `metadata.json` back. @throws when it is none */
export function parseMetadata(text: string): RunMetadata {
  return metadataSchema.parse(JSON.parse(text));
}

/** @throws {ContextStoreError} `damaged` when the file is missing, unreadable or another run's */
export async function readMetadata(directory: string): Promise<RunMetadata> {
  const path = toJournalFiles(directory).metadata;
  const metadata = await readFile(path, 'utf8').then(parseMetadata).catch(toDamaged(path));
  if (metadata.uuid === basename(directory)) return metadata;
  return toDamaged(path)(new Error(`it belongs to run ${metadata.uuid}`));
}

const outcomeSchema = z
  .object({
    status: z.enum(['completed', 'failed', 'stopped', 'paused']),
    reason: z.string().nullable(),
    final_text: z.string().nullable(),
    statistics: z.object({
      model_calls: z.number(),
      tool_calls: z.number(),
      input_tokens: z.number(),
      output_tokens: z.number(),
      duration_ms: z.number(),
    }),
    details: z.json().optional(),
    finished_at: z.string(),
  })
  .transform(({ status, reason, final_text, statistics, details, finished_at }) => ({
    status,
    reason,
    finalText: final_text,
    statistics: {
      modelCalls: statistics.model_calls,
      toolCalls: statistics.tool_calls,
      inputTokens: statistics.input_tokens,
      outputTokens: statistics.output_tokens,
      durationMs: statistics.duration_ms,
    },
    details,
    finishedAt: finished_at,
  }));

/** The end of a run as it is kept. */
export function toOutcome(end: RunEnd, finishedAt: string) {
  const { modelCalls, toolCalls, inputTokens, outputTokens, durationMs } = end.statistics;
  return {
    status: end.status,
    reason: end.reason,
    final_text: end.finalText,
    statistics: {
      model_calls: modelCalls,
      tool_calls: toolCalls,
      input_tokens: inputTokens,
      output_tokens: outputTokens,
      duration_ms: durationMs,
    },
    details: end.details,
    finished_at: finishedAt,
  };
}

/** The text of `outcome.json`. */
export function formatOutcome(outcome: ReturnType<typeof toOutcome>): string {
  return `${JSON.stringify(outcome, null, 2)}\n`;
}

/** Reads `outcome.json` back. @throws when it is no outcome */
function parseOutcome(text: string): RunEnd & { readonly finishedAt: string } {
  return outcomeSchema.parse(JSON.parse(text));
}

/** The run's end; null while it has none. */
export async function readOutcome(
  directory: string,
): Promise<(RunEnd & { readonly finishedAt: string }) | null> {
  const path = toJournalFiles(directory).outcome;
  const text = await readFileIfThere(path);
  if (text === null) return null;
  return Promise.resolve(text).then(parseOutcome).catch(toDamaged(path));
}
