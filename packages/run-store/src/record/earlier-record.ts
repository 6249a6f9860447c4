import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { toDamaged } from '../context-store-error.ts';
import { isThere, listEntries, readFileIfThere } from '../disk/files.ts';
import { readTextLines } from '../disk/lines.ts';
import { hasChainedRecord, parseMetadata, parseOutcome, toMetadataFile } from '../file/run-documents.ts';
import { isStateName, parseStateText } from '../file/state-name.ts';
import { parseTaskState, toTaskStateFile } from '../file/task-state.ts';
import { parseSummaryLine } from '../journal/summary-line.ts';
import { comesBefore, parseToolLine, type ToolEntry } from '../journal/tool-line.ts';
import type { Json } from '../journal-model.ts';
import type { JournalFiles } from '../places.ts';
import { planningFact, toPlanningFact } from '../planning/planning-line.ts';
import type { RunMetadata } from '../run-model.ts';
import { damageFact, toLostDamage } from './damage.ts';
import { type BrokenLine, readRecord } from './read-record.ts';
import { formatFact, removeSeal } from './record-line.ts';

interface EarlierOptions {
  /** Tells which facts are wanted; null stands for messages. */
  readonly isWanted: (name: string | null) => boolean;
  readonly onBroken?: ((broken: BrokenLine) => void) | undefined;
}

/**
 * Reads the record of a run that an earlier version wrote, as this one would have written it: what its other files say
 * stands as facts between its messages. Lines of those files that cannot be read are left out.
 * @throws {ContextStoreError} `damaged` when `metadata.json` does not say what the run is
 */
export async function* readEarlierRecord(
  files: JournalFiles,
  { isWanted, onBroken }: EarlierOptions,
): AsyncGenerator<string> {
  const { metadata, isChained } = await readEarlierMetadata(files);
  yield formatFact({ name: 'opened', data: toMetadataFile(metadata), timestamp: metadata.createdAt });
  const between = await listBetween(files, isWanted);
  let hasDamage = false;
  for await (const { bytes, name } of readLines(files, onBroken)) {
    hasDamage ||= name === damageFact;
    if (!isWanted(name)) continue;
    const text = bytes.toString();
    if (name === null) yield* takeBefore(between, JSON.parse(text) as PlacedMessage);
    yield removeSeal(text);
  }
  for (const { body } of between.flat()) yield body;
  yield* readDocuments(files, metadata);
  // The first line of such a record says what `metadata.json` says: without it, lines are lost.
  if (isChained && !hasDamage) yield await formatMissing(files, metadata);
}

async function formatMissing(files: JournalFiles, { createdAt }: RunMetadata): Promise<string> {
  const tools = (await readTools(files)).filter(({ parsed }) => parsed.status === 'started');
  const outcome = parseOrNull(await readFileIfThere(files.outcome), parseOutcome);
  const data = toLostDamage(1, { tools: tools.map(({ parsed }) => parsed), ended: outcome?.status ?? null });
  return formatFact({ name: damageFact, data, timestamp: createdAt });
}

/** @throws {ContextStoreError} `damaged` when `metadata.json` is missing, unreadable or another run's */
export async function readEarlierMetadata(files: JournalFiles) {
  try {
    const json: unknown = JSON.parse(await readFile(files.metadata, 'utf8'));
    const metadata = parseMetadata(json);
    if (metadata.uuid === basename(files.directory)) return { metadata, isChained: hasChainedRecord(json) };
    throw new Error(`it belongs to run ${metadata.uuid}`);
  } catch (error) {
    return toDamaged(files.metadata)(error);
  }
}

async function* readLines(files: JournalFiles, onBroken: EarlierOptions['onBroken']) {
  if (!(await isThere(files.messages))) return;
  for await (const lines of readRecord(files.messages, { onBroken })) yield* lines;
}

interface PlacedMessage {
  readonly seq: number;
  readonly timestamp: string;
  readonly message: { readonly role: string };
}

/** A fact that stands between messages. */
interface PlacedFact {
  readonly body: string;
  readonly isBefore: (message: PlacedMessage) => boolean;
}

/** Takes from the beginning of each list what belongs before a message. */
function takeBefore(lists: readonly PlacedFact[][], message: PlacedMessage): readonly string[] {
  return lists.flatMap((list) => {
    const end = list.findIndex(({ isBefore }) => !isBefore(message));
    return list.splice(0, end === -1 ? list.length : end).map(({ body }) => body);
  });
}

/** Facts of an earlier version's other files, each list in the order of its file. */
async function listBetween(
  files: JournalFiles,
  isWanted: EarlierOptions['isWanted'],
): Promise<readonly PlacedFact[][]> {
  const summaries = isWanted('summary') ? await readParsed(files.summaries, parseSummaryLine) : [];
  const tools = isWanted('tool-started') ? await readTools(files) : [];
  const planning = isWanted(planningFact) ? await readParsed(files.planning, toPlanningFact) : [];
  return [
    await readRestarts(files.restarts),
    summaries.map(({ json, parsed }) => ({
      body: formatLine('summary', json),
      isBefore: ({ seq }) => parsed.afterSeq < seq,
    })),
    tools.map(({ json, parsed }) => ({
      body: formatLine(parsed.status === 'started' ? 'tool-started' : 'tool-finished', json),
      isBefore: (message) => comesBefore(parsed, message),
    })),
    planning.map(({ parsed }) => ({
      body: formatFact({ name: planningFact, ...parsed }),
      isBefore: ({ timestamp }) => parsed.timestamp <= timestamp,
    })),
  ];
}

function readTools(files: JournalFiles): Promise<readonly ParsedLine<ToolEntry>[]> {
  return readParsed(files.tools, parseToolLine);
}

function formatLine(name: string, json: object): string {
  const { timestamp = '', ...data } = json as { timestamp?: string };
  return formatFact({ name, data: data as Json, timestamp });
}

interface ParsedLine<Parsed> {
  readonly json: object;
  readonly parsed: Parsed;
}

/** The lines of a file that can be read. */
async function readParsed<Parsed>(
  path: string,
  parse: (json: unknown) => Parsed,
): Promise<readonly ParsedLine<Parsed>[]> {
  if (!(await isThere(path))) return [];
  const lines: ParsedLine<Parsed>[] = [];
  for await (const text of readTextLines(path)) {
    const json = parseOrNull(text, (value) => value as object);
    const parsed = parseOrNull(text, parse);
    if (json !== null && parsed !== null) lines.push({ json, parsed });
  }
  return lines;
}

function parseOrNull<Parsed>(text: string | null, parse: (json: unknown) => Parsed): Parsed | null {
  try {
    return text === null ? null : parse(JSON.parse(text));
  } catch {
    return null;
  }
}

const restartsSchema = z.object({
  crashes_in_a_row: z.number(),
  restores_begun: z.number(),
  last_seq: z.number(),
  left: z.boolean(),
});

/** Counts of crashes, as an earlier version kept them. */
async function readRestarts(path: string): Promise<PlacedFact[]> {
  const record = parseOrNull(await readFileIfThere(path), (json) => restartsSchema.parse(json));
  if (record === null) return [];
  const data = { crashes_in_a_row: record.crashes_in_a_row + record.restores_begun };
  const isBefore = ({ seq }: PlacedMessage) => record.last_seq < seq;
  return [{ body: formatFact({ name: 'owned', data, timestamp: '' }), isBefore }];
}

/** Facts that stand after the messages: state, end and pause. */
async function* readDocuments(files: JournalFiles, { createdAt, uuid }: RunMetadata): AsyncGenerator<string> {
  for (const name of (await listEntries(files.directory, { recursive: true })).filter(isStateName)) {
    const text = await readFileIfThere(join(files.directory, name)).catch(() => null);
    const value = text === null ? undefined : parseStateText(name, text);
    if (value !== undefined) yield formatFact({ name: 'state', data: { name, value }, timestamp: createdAt });
  }
  const outcome = parseOrNull(await readFileIfThere(files.outcome), (json) => ({
    json,
    parsed: parseOutcome(json),
  }));
  if (outcome !== null) {
    const data = { outcome: outcome.json as Json, intents: [] };
    yield formatFact({ name: 'ended', data, timestamp: outcome.parsed.finishedAt });
  }
  const pause = parseOrNull(await readFileIfThere(files.taskState), parseTaskState);
  if (pause?.uuid === uuid) {
    const name = pause.status === 'paused' ? 'paused' : 'resumed';
    yield formatFact({ name, data: toTaskStateFile(pause), timestamp: pause.pausedAt });
  }
  const restarts = parseOrNull(await readFileIfThere(files.restarts), (json) => restartsSchema.parse(json));
  if (restarts?.left) yield formatFact({ name: 'left', data: {}, timestamp: createdAt });
}
