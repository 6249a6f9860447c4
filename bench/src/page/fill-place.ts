import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunEnd, RunStorage, WholeRunStore } from '@agent/run-store';
import type { Database } from '@agent/run-store/postgres';

/** Number of tasks in each state. */
export interface PlaceSize {
  readonly running: number;
  readonly paused: number;
  readonly ended: number;
}

interface Message {
  readonly role: string;
  readonly content: unknown;
}

const end: RunEnd = {
  status: 'completed',
  reason: null,
  finalText: 'The parser takes empty lines, and a test shows it.',
  statistics: { modelCalls: 12, toolCalls: 20, inputTokens: 40_000, outputTokens: 3_000, durationMs: 90_000 },
};

function newRun(index: number) {
  const number = index + 1;
  const repo = `shop-${number % 40}`;
  return {
    uuid: randomUUID(),
    taskKey: { type: 'github_issue', owner: 'acme', repo, number },
    taskKeyText: `github_issue:acme:${repo}:${number}`,
    host: 'github.com',
    user: 'agent',
    config: { llm_provider: 'lmstudio', model: 'a-model' },
    extra: {
      title: `The parser refuses an empty line, as of release ${number}`,
      url: `https://github.com/acme/${repo}/issues/${number}`,
      number,
    },
  };
}

/** Begins and pauses runs as a process that works in the place does; resolves with its store and the uuid of one that runs. */
export async function fillLive(
  storage: RunStorage,
  { running, paused }: PlaceSize,
): Promise<{
  readonly store: WholeRunStore<Message>;
  readonly uuid: string;
  /** Ends a run of its own, as a pattern of those that ended. */
  readonly endOne: () => Promise<string>;
}> {
  const owner = await storage.members.acquire();
  const store = storage.openStore<Message>({ owner, parseMessage: (json) => json as Message });
  let uuid = '';
  for (let number = 0; number < running + paused; number += 1) {
    const { metadata } = await store.open(newRun(number));
    if (number >= running) await store.pause(metadata.uuid, { lastError: null, planningState: null });
    else uuid = metadata.uuid;
  }
  const endOne = async () => {
    const { metadata, journal } = await store.open(newRun(running + paused));
    await journal.finish(end);
    await store.finish(metadata.uuid);
    return metadata.uuid;
  };
  return { store, uuid, endOne };
}

/** Repeats a run that ended in the files of a place, under other names. */
export async function repeatInFiles(baseDirectory: string, { ended }: PlaceSize): Promise<void> {
  const path = join(baseDirectory, 'recent.jsonl');
  const [line = ''] = (await readFile(path, 'utf8')).split('\n');
  const pattern = JSON.parse(line) as { readonly uuid: string };
  const lines: string[] = [];
  for (let number = 0; number < ended; number += 1) {
    const uuid = randomUUID();
    const finished_at = new Date(Date.UTC(2025, 0, 1) + number * 60_000).toISOString();
    const { taskKeyText: task_key_text, extra } = newRun(number);
    lines.push(JSON.stringify({ ...pattern, ...extra, task_key_text, uuid, finished_at }));
    await mkdir(join(baseDirectory, 'completed', uuid));
  }
  await writeFile(path, `${lines.join('\n')}\n`);
  await appendFile(path, `${line}\n`);
}

/** The same in a database. */
export async function repeatInRows(
  database: Database,
  {
    schema,
    uuid,
    size: { ended },
  }: { readonly schema: string; readonly uuid: string; readonly size: PlaceSize },
): Promise<void> {
  await database.query(
    `WITH made AS (
       INSERT INTO "${schema}".runs (uuid, place, owner, line, "check", task_key_hash, host, created_at, ended_at, indexed)
       SELECT gen_random_uuid(), place, owner, line, "check", task_key_hash || number, host, created_at,
         to_char(timestamp '2025-01-01' + number * interval '1 minute', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"'), indexed
       FROM "${schema}".runs, generate_series(1, $2::int) AS number WHERE uuid = $1::uuid RETURNING uuid
     )
     INSERT INTO "${schema}".lines (uuid, line, fact, body)
     SELECT made.uuid, lines.line, lines.fact, replace(lines.body, $1::text, made.uuid::text) FROM made, "${schema}".lines WHERE lines.uuid = $1::uuid`,
    [uuid, ended],
  );
  await database.query('ANALYZE', []);
}
