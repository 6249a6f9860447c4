import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { acquireOwnership, createFileRunStore } from '@agent/run-store/file';
import type { ModelMessage } from 'ai';
import { findMedian } from '../statistics.ts';
import { newRun } from './measure-journal.ts';
import { type SampleKind, sampleMessages } from './sample-messages.ts';
import { withoutSync } from './without-sync.ts';

/** Milliseconds of processor time to go on with a run, beside reading its record and nothing else. */
export interface ResumeFigures {
  readonly events: number;
  readonly kind: SampleKind;
  /** Length of `messages.jsonl`. */
  readonly bytes: number;
  /** Opened by a new process: repaired, checked, noted, the files beside it compared. */
  readonly openMs: number;
  /** Its journal read once, checked again, each message parsed. */
  readonly readMs: number;
  /** The same file read, split at its lines, each parsed as JSON. */
  readonly parseMs: number;
  /** Medians by the clock, of opening and reading: nobody waits for the disk. */
  readonly totalMs: number;
}

const rounds = 21;
const warmUpRounds = 10;

interface MeasureOptions {
  readonly directory: string;
  readonly events: number;
  readonly kind: SampleKind;
}

/** Goes on again and again with a run of so many lines: answers, calls of tools, results. */
export async function measureResume({ directory, events, kind }: MeasureOptions): Promise<ResumeFigures> {
  const baseDirectory = join(directory, randomUUID());
  const owner = await acquireOwnership({ baseDirectory });
  const parseMessage = (json: unknown) => json as ModelMessage;
  const openStore = () => createFileRunStore({ baseDirectory, parseMessage, owner });
  const uuid = await withoutSync(() => writeRun(openStore(), { events, kind }));
  const path = join(baseDirectory, 'running', uuid, 'messages.jsonl');
  const taken: {
    readonly open: number;
    readonly read: number;
    readonly parse: number;
    readonly total: number;
  }[] = [];
  await withoutSync(async () => {
    for (let round = -warmUpRounds; round < rounds; round += 1) {
      const stopParsing = startProcessor();
      for (const line of (await readFile(path, 'utf8')).split('\n')) if (line !== '') JSON.parse(line);
      const parse = stopParsing();
      const store = openStore();
      const startedAt = performance.now();
      const stopOpening = startProcessor();
      const { journal, leave } = await store.restore(uuid);
      const open = stopOpening();
      const stopReading = startProcessor();
      for await (const _ of journal.read());
      const read = stopReading();
      const total = performance.now() - startedAt;
      await leave();
      if (round >= 0) taken.push({ open, read, parse, total });
    }
  });
  const bytes = (await readFile(path)).length;
  await owner.release();
  const median = (read: (one: (typeof taken)[number]) => number) => findMedian(taken.map(read));
  return {
    events,
    kind,
    bytes,
    openMs: median(({ open }) => open),
    readMs: median(({ read }) => read),
    parseMs: median(({ parse }) => parse),
    totalMs: median(({ total }) => total),
  };
}

type Store = ReturnType<typeof createFileRunStore<ModelMessage>>;

/** Each step is four lines: the answer, the call begun and finished, and what the model is told of it. */
async function writeRun(
  store: Store,
  { events, kind }: { readonly events: number; readonly kind: SampleKind },
): Promise<string> {
  const run = newRun();
  const { journal, leave } = await store.open(run);
  for (const message of sampleMessages(events / 2, kind)) {
    const usage = message.role === 'assistant' ? { inputTokens: 1_000, outputTokens: 50 } : null;
    if (message.role === 'tool') await appendCall(journal, message);
    await journal.append({ type: 'message', message, usage, delivers: [] });
  }
  await leave();
  return run.uuid;
}

async function appendCall(
  journal: Awaited<ReturnType<Store['open']>>['journal'],
  { content: [part] }: Extract<ModelMessage, { role: 'tool' }>,
): Promise<void> {
  if (part?.type !== 'tool-result' || part.output.type !== 'text') throw new Error('No result of a tool.');
  const call = { toolCallId: part.toolCallId, tool: part.toolName, args: {} };
  await journal.append({ type: 'tool-started', ...call });
  const output = part.output.value;
  await journal.append({ type: 'tool-finished', ...call, status: 'success', output, durationMs: 3 });
}

function startProcessor(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
}
