import { randomUUID } from 'node:crypto';
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { acquireOwnership, createFileRunStore } from '@agent/run-store/file';
import { createContextCompressor } from '@agent/runner';
import type { ModelMessage } from 'ai';
import { createEarlierStore, type EarlierMessage } from './earlier-store.ts';
import { measureBareAppend } from './measure-bare-append.ts';
import { type SampleKind, sampleMessages } from './sample-messages.ts';
import { withoutSync } from './without-sync.ts';

export interface JournalCosts {
  /** By the clock. */
  readonly totalMs: number;
  /** Time that processors worked for this process, on all its threads; neither other processes nor disks are in it. */
  readonly processorMs: number;
  /** Of the time by the clock, what is not writing: finding the next number, where that is work, and counting the context's tokens. */
  readonly bookkeepingMs: number;
  /** Length of `messages.jsonl` at the end. */
  readonly bytes: number;
}

export interface MeasureOptions {
  readonly directory: string;
  readonly messages: number;
  readonly kind: SampleKind;
}

/** A run's journal, and after each message the count that decides whether to compress; nobody waits for the disk. */
export function measureJournal(options: MeasureOptions): Promise<JournalCosts> {
  return withoutSync(() => measureSyncedJournal(options));
}

/** The same, as it is: each message is on the disk before the next. */
export async function measureSyncedJournal(options: MeasureOptions): Promise<JournalCosts> {
  const parseMessage = (json: unknown) => json as ModelMessage;
  const baseDirectory = join(options.directory, randomUUID());
  const owner = await acquireOwnership({ baseDirectory });
  const store = createFileRunStore({ baseDirectory, parseMessage, owner });
  const { metadata, journal, leave } = await store.open(newRun());
  // Never asked: the context stays below the window.
  const compressor = createContextCompressor({ model: 'none', contextLength: 1_000_000_000 });
  const samples = sampleMessages(options.messages, options.kind);
  const messages: ModelMessage[] = [];
  const seqs: number[] = [];
  let bookkeepingMs = 0;
  const stop = startClocks();
  for (const message of samples) {
    seqs.push(await journal.append({ type: 'message', message, usage: null, delivers: [] }));
    messages.push(message);
    const writtenAt = performance.now();
    await compressor.compress({ messages, seqs, instructions: '', onWastedCall: () => {} });
    bookkeepingMs += performance.now() - writtenAt;
  }
  // Writes what is left of `current.jsonl`.
  await leave();
  const times = stop();
  await owner.release();
  return {
    ...times,
    bookkeepingMs,
    bytes: (await stat(join(baseDirectory, 'running', metadata.uuid, 'messages.jsonl'))).size,
  };
}

/** The same messages, kept the earlier way. */
export async function measureEarlier(options: MeasureOptions): Promise<JournalCosts> {
  const directory = join(options.directory, randomUUID());
  await mkdir(directory);
  const store = createEarlierStore(directory);
  const messages = sampleMessages(options.messages, options.kind).map(toText);
  let bookkeepingMs = 0;
  const stop = startClocks();
  for (const message of messages) {
    const askedAt = performance.now();
    const seq = store.findNextSeq();
    const foundAt = performance.now();
    store.write(message, seq);
    const writtenAt = performance.now();
    store.countTokens();
    bookkeepingMs += foundAt - askedAt + performance.now() - writtenAt;
  }
  const times = stop();
  return {
    ...times,
    bookkeepingMs,
    bytes: (await stat(join(directory, 'messages.jsonl'))).size,
  };
}

/** Milliseconds of processor time for a bare append of the same messages. */
export function measureBare({ directory, messages, kind }: MeasureOptions): number {
  return measureBareAppend(directory, sampleMessages(messages, kind).map(toText));
}

function startClocks(): () => Pick<JournalCosts, 'totalMs' | 'processorMs'> {
  const startedAt = performance.now();
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return { totalMs: performance.now() - startedAt, processorMs: (user + system) / 1_000 };
  };
}

function toText({ role, content }: ModelMessage): EarlierMessage {
  return { role, content: typeof content === 'string' ? content : JSON.stringify(content) };
}

/** A run that is new. */
export function newRun() {
  const taskKey = { type: 'github_issue', owner: 'acme', repo: 'shop', number: 1 };
  const text = 'github_issue:acme:shop:1';
  return {
    uuid: randomUUID(),
    taskKey,
    taskKeyText: text,
    host: 'github.com',
    user: 'alice',
    config: {},
    extra: {},
  };
}
