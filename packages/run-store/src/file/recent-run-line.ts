import { z } from 'zod';
import type { RunEnd } from '../journal-model.ts';
import type { Json, RunMetadata } from '../run-model.ts';

/** A run that ended, as the list of recent runs shows it. */
export interface RecentRun {
  readonly uuid: string;
  readonly taskKeyText: string;
  readonly host: string;
  /** Null for a run that was put away without an outcome. */
  readonly status: RunEnd['status'] | null;
  readonly title: string | null;
  /** The number of the issue, pull or merge request. */
  readonly number: number | null;
  readonly url: string | null;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** ISO 8601, UTC; null for a run that was put away without an outcome. */
  readonly finishedAt: string | null;
  /** 0 for a run that took nothing over, and for one of a time when that was not noted. */
  readonly inheritanceDepth: number;
  /** Tokens of what it took over. */
  readonly inheritedTokens: number;
}

const lineSchema = z
  .object({
    uuid: z.string(),
    task_key_text: z.string(),
    host: z.string(),
    status: z.enum(['completed', 'failed', 'stopped', 'paused']).nullable(),
    title: z.string().nullish(),
    number: z.number().nullish(),
    url: z.string().nullish(),
    created_at: z.string(),
    finished_at: z.string().nullable(),
    inheritance_depth: z.number().nullish(),
    inherited_tokens: z.number().nullish(),
  })
  .transform((line) => ({
    uuid: line.uuid,
    taskKeyText: line.task_key_text,
    host: line.host,
    status: line.status,
    title: line.title ?? null,
    number: line.number ?? null,
    url: line.url ?? null,
    createdAt: line.created_at,
    finishedAt: line.finished_at,
    inheritanceDepth: line.inheritance_depth ?? 0,
    inheritedTokens: line.inherited_tokens ?? 0,
  }));

/** A line of `recent.jsonl`; title, number, url and tokens are taken from the run's `extra`, where they are there. */
export function toRecentLine(
  metadata: RunMetadata,
  outcome: { readonly status: RunEnd['status']; readonly finishedAt: string } | null,
): object {
  const { title, number, url, inherited_tokens: inheritedTokens } = metadata.extra;
  return {
    uuid: metadata.uuid,
    task_key_text: metadata.taskKeyText,
    host: metadata.host,
    status: outcome?.status ?? null,
    ...pick('title', title, 'string'),
    ...pick('number', number, 'number'),
    ...pick('url', url, 'string'),
    created_at: metadata.createdAt,
    finished_at: outcome?.finishedAt ?? null,
    inheritance_depth: metadata.inheritanceDepth,
    ...pick('inherited_tokens', inheritedTokens, 'number'),
  };
}

/** Reads a line back. @throws when it is none */
export function parseRecentLine(text: string): RecentRun {
  return lineSchema.parse(JSON.parse(text));
}

/** As `parseRecentLine`; null for what is none. */
export function parseRecentOrNull(text: string): RecentRun | null {
  try {
    return parseRecentLine(text);
  } catch {
    return null;
  }
}

function pick(name: string, value: Json | undefined, type: 'string' | 'number'): object {
  return typeof value === type ? { [name]: value } : {};
}
