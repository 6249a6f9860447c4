import { z } from 'zod';
import type { JsonObject, RunMetadata } from '../run-model.ts';

const jsonObject = z.custom<JsonObject>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

const metadataSchema = z
  .object({
    uuid: z.string(),
    task_key: jsonObject,
    task_key_text: z.string(),
    task_key_hash: z.string(),
    host: z.string(),
    user: z.string().nullable(),
    created_at: z.string(),
    process_id: z.number(),
    hostname: z.string(),
    config: jsonObject,
    inherited_from_uuid: z.string().nullable(),
    inheritance_depth: z.number(),
    extra: jsonObject,
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
