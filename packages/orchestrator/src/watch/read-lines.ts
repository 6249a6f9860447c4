import type { RecordMark, StorageWatch } from '@agent/run-store';
import { nameOfLine } from './run-course.ts';
import type { RunDigest } from './run-digest.ts';

/** Lines of a record as they are written. */
export interface RawLines {
  /** Number of the first one, from 1. */
  readonly from: number;
  readonly lines: readonly string[];
  readonly total: number;
}

/** Reads lines of a record by number; what is secret is hidden in them, and so is what leads to the session of an agent. */
export async function readRawLines(
  digest: RunDigest,
  {
    uuid,
    watch,
    redact,
    part,
  }: {
    readonly uuid: string;
    readonly watch: Pick<StorageWatch, 'readRecord'>;
    readonly redact: (text: string) => string;
    readonly part: { readonly from: number; readonly limit: number };
  },
): Promise<RawLines> {
  const from = Math.max(1, part.from);
  const lines: string[] = [];
  let mark: RecordMark | null = digest.markBefore(from);
  while (lines.length < part.limit) {
    const read = await watch.readRecord(uuid, { from: mark, limit: 250 });
    if (read === null || read.isAnew || read.lines.length === 0) break;
    const wanted = read.lines.filter(({ line }) => line >= from);
    lines.push(...wanted.slice(0, part.limit - lines.length).map(({ text }) => redact(hideSession(text))));
    mark = read.next;
  }
  return { from, lines, total: digest.lines };
}

/** Whoever knows the id and the secret of a session could speak in it. */
function hideSession(text: string): string {
  if (nameOfLine(text) !== 'agent-session') return text;
  try {
    const { data, ...line } = JSON.parse(text) as { readonly data: object };
    return JSON.stringify({ ...line, data: { ...data, id: '[hidden]', secret: '[hidden]' } });
  } catch {
    return JSON.stringify({ fact: 'agent-session' });
  }
}
