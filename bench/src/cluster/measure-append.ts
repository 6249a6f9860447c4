import { performance } from 'node:perf_hooks';
import type { RunJournal } from '@agent/run-store';
import { acquireOwnership, createFileRunStore } from '@agent/run-store/file';
import { connectPostgres, createPostgresStorage } from '@agent/run-store/postgres';
import type { ModelMessage } from 'ai';
import { newRun } from '../journal/measure-journal.ts';
import { sampleMessages } from '../journal/sample-messages.ts';
import type { BenchServer } from './bench-server.ts';

/** Milliseconds by the clock for each append, in both places. */
export interface AppendTimes {
  readonly files: readonly number[];
  readonly postgres: readonly number[];
}

interface AppendOptions {
  /** For the store in files. */
  readonly directory: string;
  /** Times that each of the two has its turn. */
  readonly rounds: number;
  readonly perRound: number;
}

const parseMessage = (json: unknown) => json as ModelMessage;

/** Appends the same messages to a run in files and to one in the database, in turn. */
export async function measureAppend(
  { url, nameSchema }: BenchServer,
  { directory, rounds, perRound }: AppendOptions,
): Promise<AppendTimes> {
  const owner = await acquireOwnership({ baseDirectory: directory });
  const inFiles = await createFileRunStore({ baseDirectory: directory, parseMessage, owner }).open(newRun());
  const database = await connectPostgres({ url });
  const storage = createPostgresStorage({ database, schema: nameSchema() });
  const member = await storage.members.acquire();
  const inPostgres = await storage.openStore({ owner: member, parseMessage }).open(newRun());
  const times = { files: [] as number[], postgres: [] as number[] };
  const messages = sampleMessages(perRound, 'short');
  for (let round = -1; round < rounds; round += 1) {
    const files = await timeAppends(inFiles.journal, messages);
    const postgres = await timeAppends(inPostgres.journal, messages);
    // The first turn opens files, plans statements and compiles.
    if (round < 0) continue;
    times.files.push(...files);
    times.postgres.push(...postgres);
  }
  await Promise.all([inFiles.leave(), inPostgres.leave()]);
  await Promise.all([owner.release(), member.release()]);
  await storage.close();
  return times;
}

async function timeAppends(
  { append }: Pick<RunJournal<ModelMessage>, 'append'>,
  messages: readonly ModelMessage[],
): Promise<readonly number[]> {
  const times: number[] = [];
  for (const message of messages) {
    const startedAt = performance.now();
    await append({ type: 'message', message, usage: null, delivers: [] });
    times.push(performance.now() - startedAt);
  }
  return times;
}
