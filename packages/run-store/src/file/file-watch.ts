import { join } from 'node:path';
import { translated } from '../context-store-error.ts';
import { listEntries, readStamp, unlessAbsent, withFile } from '../disk/files.ts';
import { toLines } from '../disk/lines.ts';
import { parseRecentLine } from '../index/recent-runs.ts';
import { sliceSeal } from '../lines/record-line.ts';
import { type RunPlaces, type RunPlacesOptions, toJournalFiles, toRunPlaces } from '../places.ts';
import { readMetadata } from '../record/run-record.ts';
import { isUuid } from '../storage-names.ts';
import type { MarkedLine, RecordMark, RunHead, RunStamp, StorageWatch } from '../storage-watch.ts';
import { readPausedState } from './list-runs.ts';

/** Files that are asked for at once. */
const width = 64;
/** Bytes of a record, and of the list of runs that ended, that are read at once. */
const pieceBytes = 4 * 1_048_576;
const newline = 0x0a;

/** Watches runs in files. What is asked again and again reads the names of two directories, and the sizes of the records in them. */
export function createFileWatch(options: RunPlacesOptions): StorageWatch {
  const places = toRunPlaces(options);
  return {
    listStamps: () => translated(listStamps(places), 'check the runs'),
    readHeads: (runs) =>
      translated(
        mapAtOnce(runs, (run) => readHead(places, run)),
        'read the runs',
      ),
    listEnded: (after, { limit }) =>
      translated(readEnded(places.recent, { after, limit }), 'list the runs that ended'),
    readRecord: (uuid, given) =>
      translated(readRecordPart(places, uuid, given), `read the record of run ${uuid}`),
  };
}

async function listStamps(places: RunPlaces) {
  // In the order in which runs move: one that moves meanwhile is seen twice rather than never.
  const running = await stampPlace(places, 'running');
  const paused = await stampPlace(places, 'paused');
  const ended = await Promise.all([places.recent, places.completed].map(readStamp));
  return { live: [...running, ...paused], ended: ended.join(' ') };
}

async function stampPlace(places: RunPlaces, place: RunStamp['place']): Promise<readonly RunStamp[]> {
  const names = (await listEntries(places[place])).filter(isUuid);
  return mapAtOnce(names, async (uuid) => {
    const stamp = await readStamp(toJournalFiles(join(places[place], uuid)).messages);
    return stamp === null ? null : { uuid, place, stamp };
  });
}

async function readHead(
  places: RunPlaces,
  { uuid, place }: Pick<RunStamp, 'uuid' | 'place'>,
): Promise<RunHead | null> {
  const directory = join(places[place], uuid);
  try {
    const metadata = await readMetadata(directory);
    return { uuid, place, metadata, pause: place === 'paused' ? await readPausedState(directory) : null };
  } catch {
    // Moved meanwhile, or damaged: `status` tells of the damage.
    return null;
  }
}

/** Results in the order of the items, those that are null left out; so many are asked for at the same time. */
async function mapAtOnce<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Promise<Result | null>,
): Promise<readonly Result[]> {
  const results: (Result | null)[] = [];
  for (let at = 0; at < items.length; at += width)
    results.push(...(await Promise.all(items.slice(at, at + width).map(map))));
  return results.filter((result) => result !== null);
}

/** Reads lines from the end of the list; `after` is the number of bytes before those that were read. */
async function readEnded(
  path: string,
  { after, limit }: { readonly after: string | null; readonly limit: number },
) {
  const read = await unlessAbsent(
    withFile(path, 'r', async (file) => {
      const end = after === null ? (await file.stat()).size : Number(after);
      const from = Math.max(0, end - Math.min(pieceBytes, limit * 1_024));
      const { buffer, bytesRead } = await file.read(Buffer.alloc(end - from), 0, end - from, from);
      return { from, bytes: buffer.subarray(0, bytesRead) };
    }),
  );
  if (read === null) return { runs: [], next: null };
  const { bytes } = read;
  // What stands before the first end of a line belongs to the part before.
  const start = read.from === 0 ? 0 : bytes.indexOf(newline) + 1;
  const lines = toLines(bytes.subarray(start)).toReversed();
  const left = lines.slice(limit).reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
  const runs = lines.slice(0, limit).flatMap((line) => parseRecentLine(line) ?? []);
  const begin = read.from + start + left;
  return { runs, next: begin > 0 ? String(begin) : null };
}

/** Reads behind a mark, wherever the run lies. */
async function readRecordPart(
  places: RunPlaces,
  uuid: string,
  { from, limit }: { readonly from: RecordMark | null; readonly limit: number },
) {
  if (!isUuid(uuid)) return null;
  // Looked at again at the end: it may have moved on meanwhile.
  for (const place of ['running', 'paused', 'completed', 'running'] as const) {
    const { messages } = toJournalFiles(join(places[place], uuid));
    const part = await unlessAbsent(readLinesOf(messages, { from, limit }));
    if (part !== null) return part;
  }
  return null;
}

function readLinesOf(
  path: string,
  { from, limit }: { readonly from: RecordMark | null; readonly limit: number },
) {
  return withFile(path, 'r', async (file) => {
    const { size } = await file.stat();
    const read = async (start: number, end: number) => {
      const wanted = Math.max(0, end - start);
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(wanted), 0, wanted, start);
      return buffer.subarray(0, bytesRead);
    };
    const seal = from && (await read(from.offset - from.seal.length - 1, from.offset)).toString('latin1');
    const isAnew = from !== null && (from.offset > size || seal !== `${from.seal}\n`);
    const mark = isAnew ? null : from;
    const begin = mark?.offset ?? 0;
    // A single line may be longer than what is read at once.
    let bytes = await read(begin, Math.min(size, begin + pieceBytes));
    if (!bytes.includes(newline) && begin + bytes.length < size) bytes = await read(begin, size);
    return { ...takeLines(bytes, { mark, limit }), isAnew };
  });
}

function takeLines(
  bytes: Buffer,
  { mark, limit }: { readonly mark: RecordMark | null; readonly limit: number },
): { readonly lines: readonly MarkedLine[]; readonly next: RecordMark | null } {
  const lines: MarkedLine[] = [];
  const first = (mark?.line ?? 0) + 1;
  let start = 0;
  let next = mark;
  for (let end = bytes.indexOf(newline); end !== -1 && lines.length < limit; ) {
    const line = bytes.subarray(start, end);
    const number = first + lines.length;
    lines.push({ line: number, text: line.toString('utf8') });
    start = end + 1;
    next = { line: number, offset: (mark?.offset ?? 0) + start, seal: sliceSeal(line) };
    end = bytes.indexOf(newline, start);
  }
  return { lines, next };
}
