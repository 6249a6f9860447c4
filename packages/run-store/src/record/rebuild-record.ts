import { readFile, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { toDamaged } from '../context-store-error.ts';
import { isThere, listEntries, readFileIfThere, syncDirectory, withFile } from '../disk/files.ts';
import { readLineBatches, readTextLines } from '../disk/lines.ts';
import { parseOrNull } from '../disk/stored-values.ts';
import type { Json } from '../journal-model.ts';
import { planningFact, toPlanningFact } from '../lines/planning-line.ts';
import { formatFact, sealLine } from '../lines/record-line.ts';
import { formatOpened, parseMetadata, parseOutcome } from '../lines/run-documents.ts';
import { isStateName, parseStateText } from '../lines/state-name.ts';
import { parseSummaryLine } from '../lines/summary-line.ts';
import { parseTaskState, toTaskStateFile } from '../lines/task-state.ts';
import { parseToolLine, type ToolEntry } from '../lines/tool-line.ts';
import type { JournalFiles } from '../places.ts';
import type { RunMetadata } from '../run-model.ts';
import { damageFact, keepCutLines, type RepairOptions, toLostDamage } from './damage.ts';
import { type BrokenLine, readChain } from './read-record.ts';

/**
 * Makes the facts of a run out of the files beside its record. Lines of those files that cannot be read are left out; there
 * is nothing to make messages of.
 */
export async function* listFactsBeside(files: JournalFiles, metadata: RunMetadata): AsyncGenerator<string> {
  yield formatOpened(metadata);
  for (const { json } of await readParsed(files.summaries, parseSummaryLine))
    yield formatLine('summary', json);
  for (const { json, parsed } of await readTools(files))
    yield formatLine(parsed.status === 'started' ? 'tool-started' : 'tool-finished', json);
  for (const { parsed } of await readParsed(files.planning, toPlanningFact))
    yield formatFact({ name: planningFact, ...parsed });
  yield* listDocuments(files, metadata);
}

/**
 * Reads a run whose record has lost its beginning, as `rebuildRecord` would write it; changes nothing.
 * @throws {ContextStoreError} `damaged` or `other-version` when `metadata.json` does not say what the run is
 */
export async function* readRebuilt(files: JournalFiles): AsyncGenerator<string> {
  const metadata = await readMetadataBeside(files);
  yield* listFactsBeside(files, metadata);
  yield await formatLost(files, metadata);
}

/**
 * Writes a record that has lost its beginning again, out of the files beside it. What is left of it is kept aside, and is
 * the evidence of what may have happened.
 * @throws {ContextStoreError} `damaged` or `other-version` when `metadata.json` does not say what the run is
 */
export async function rebuildRecord(files: JournalFiles, { owner, timestamp }: RepairOptions): Promise<void> {
  const metadata = await readMetadataBeside(files);
  const broken = (await isThere(files.messages)) ? await findBroken(files.messages) : null;
  const damage =
    broken === null
      ? await formatLost(files, metadata)
      : formatFact({ name: damageFact, data: await keepCutLines(broken), timestamp });
  async function* listBodies() {
    yield* listFactsBeside(files, metadata);
    yield damage;
  }
  await replaceRecord(files.messages, { bodies: listBodies(), owner });
}

const pieceBytes = 1024 * 1024;

interface NewRecord {
  /** Lines, to be sealed. */
  readonly bodies: AsyncIterable<string>;
  /** Number of the owner that writes; null where the store has none. */
  readonly owner: number | null;
}

/** Writes a whole record: made aside, synced and renamed. */
export async function replaceRecord(path: string, { bodies, owner }: NewRecord): Promise<void> {
  const temporary = `${path}.tmp`;
  await withFile(temporary, 'w', async (file) => {
    let previous = '';
    let piece: Buffer[] = [];
    let length = 0;
    const writePiece = async () => {
      await file.writeFile(Buffer.concat(piece));
      [piece, length] = [[], 0];
    };
    for await (const body of bodies) {
      const { bytes, check } = sealLine(body, { previous, owner });
      previous = check;
      piece.push(bytes);
      length += bytes.length;
      if (length >= pieceBytes) await writePiece();
    }
    await writePiece();
    await file.sync();
  });
  await rename(temporary, path);
  await syncDirectory(dirname(path));
}

async function formatLost(files: JournalFiles, { createdAt }: RunMetadata): Promise<string> {
  const tools = (await readTools(files)).filter(({ parsed }) => parsed.status === 'started');
  const outcome = parseOrNull(await readFileIfThere(files.outcome), parseOutcome);
  const data = toLostDamage(1, { tools: tools.map(({ parsed }) => parsed), ended: outcome?.status ?? null });
  return formatFact({ name: damageFact, data, timestamp: createdAt });
}

async function readMetadataBeside(files: JournalFiles): Promise<RunMetadata> {
  try {
    const json: unknown = JSON.parse(await readFile(files.metadata, 'utf8'));
    const metadata = parseMetadata(json, `"${files.metadata}"`);
    if (metadata.uuid === basename(files.directory)) return metadata;
    throw new Error(`it belongs to run ${metadata.uuid}`);
  } catch (error) {
    return toDamaged(files.metadata)(error);
  }
}

async function findBroken(path: string): Promise<BrokenLine | null> {
  const found: BrokenLine[] = [];
  const onBroken = (broken: BrokenLine) => void found.push(broken);
  for await (const _ of readChain(readLineBatches(path), { path, onBroken }));
  return found[0] ?? null;
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

/** State, end and pause. */
async function* listDocuments(files: JournalFiles, { createdAt, uuid }: RunMetadata): AsyncGenerator<string> {
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
}
