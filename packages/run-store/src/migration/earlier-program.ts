import { z } from 'zod';
import { isThere } from '../disk/files.ts';
import { jsonObject, or, orNull, toIsoTime } from '../disk/stored-values.ts';
import type { JsonObject } from '../run-model.ts';

const identifier = z.union([z.string(), z.number()]);

/** As the specification's sample has it; the program itself wrote `{ type, … }`. */
const sampleKeySchema = z.object({
  task_source: z.enum(['github', 'gitlab']),
  task_type: z.enum(['issue', 'pull_request', 'merge_request']),
  task_id: identifier,
  owner: z.string().nullish(),
  repo: z.string().nullish(),
  project_id: identifier.nullish(),
});

const metadataSchema = z.object({
  uuid: z.string(),
  task_key: jsonObject,
  created_at: z.string().transform((text, context) => {
    const time = toIsoTime(text);
    if (time !== null) return time;
    context.addIssue({ code: 'custom', message: 'not a time' });
    return z.NEVER;
  }),
  process_id: or(z.number(), 0),
  hostname: or(z.string(), ''),
  config: or(jsonObject, {}),
  user: orNull(z.string()),
  inherited_from_uuid: orNull(z.string()),
  inheritance_depth: or(z.number().int().nonnegative(), 0),
});

/** `metadata.json` as the earlier program wrote it. */
export type EarlierMetadata = z.infer<typeof metadataSchema>;

/** @throws when it is none */
export function parseEarlierMetadata(text: string): EarlierMetadata {
  return metadataSchema.parse(JSON.parse(text));
}

/** The task's key in the form with a `type`, whichever of the two forms it came in. */
export function toTypedKey(key: JsonObject): JsonObject {
  const sample = sampleKeySchema.safeParse(key);
  if (!sample.success) return key;
  const { task_source, task_type, task_id, owner, repo, project_id } = sample.data;
  const type = `${task_source}_${task_type}`;
  const number = Number(task_id);
  if (task_source === 'github') return { type, owner: owner ?? null, repo: repo ?? null, number };
  const project = String(project_id ?? [owner, repo].filter(Boolean).join('/'));
  return { type, project_id: project, [task_type === 'issue' ? 'issue_iid' : 'mr_iid']: number };
}

const count = or(z.number().nonnegative(), 0);

const rowSchema = z.object({
  uuid: z.string(),
  /** Null for one that had not ended. */
  status: z.enum(['completed', 'failed', 'stopped']).nullable().catch(null),
  completed_at: z.string().nullish().transform(toIsoTime),
  llm_call_count: count,
  tool_call_count: count,
  total_tokens: count,
  error_message: orNull(z.string()),
});

/** A row of the earlier program's table `tasks`. */
export type EarlierTask = z.infer<typeof rowSchema>;

/** Reads the rows of `tasks.db` by the uuid of their run; empty where there is no such file. Rows that cannot be read are left out. */
export async function readEarlierTasks(path: string): Promise<ReadonlyMap<string, EarlierTask>> {
  if (!(await isThere(path))) return new Map();
  // Loaded for this alone: Node says that it is experimental.
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const rows = database.prepare('SELECT * FROM tasks').all();
    const tasks = rows.flatMap((row) => rowSchema.safeParse({ ...row }).data ?? []);
    return new Map(tasks.map((task) => [task.uuid, task]));
  } finally {
    database.close();
  }
}
