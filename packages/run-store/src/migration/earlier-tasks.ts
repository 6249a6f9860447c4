import { stat } from 'node:fs/promises';
import { z } from 'zod';
import { toSystemCode } from '../disk/storage-error.ts';
import { toIsoTime } from '../disk/to-iso-time.ts';

const count = z
  .number()
  .nonnegative()
  .nullish()
  .transform((value) => value ?? 0);
const rowSchema = z.object({
  uuid: z.string(),
  /** Null for one that had not ended. */
  status: z.enum(['completed', 'failed', 'stopped']).nullable().catch(null),
  completed_at: z.string().nullish().transform(toIsoTime),
  llm_call_count: count,
  tool_call_count: count,
  total_tokens: count,
  error_message: z
    .string()
    .nullish()
    .transform((text) => text ?? null),
});

/** A row of the earlier program's table `tasks`. */
export type EarlierTask = z.infer<typeof rowSchema>;

/** What `tasks.db` knows of each run, by uuid; empty where there is no such file. Rows that cannot be read are left out. */
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

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: unknown) => {
      if (toSystemCode(error) === 'ENOENT') return false;
      throw error;
    },
  );
}
