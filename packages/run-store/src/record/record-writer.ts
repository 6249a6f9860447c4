import { truncate } from 'node:fs/promises';
import type { OpenFiles } from '../disk/open-files.ts';
import { sealLine } from '../lines/record-line.ts';
import type { RecordPosition } from '../ports.ts';

/** Place in a record between two lines. */
export interface RecordEnd extends RecordPosition {
  /** Bytes of the file before it. */
  readonly size: number;
}

/** Appends lines to a record, each chained to the one before. Not for calls at the same time. */
export interface RecordWriter {
  /** Seals the text of a JSON object and appends it, synced. What a failed append left is cut off by the next one. */
  readonly append: (body: string) => Promise<void>;
  readonly position: () => RecordPosition;
}

interface RecordWriterOptions {
  readonly end: RecordEnd;
  readonly files: OpenFiles;
  /** Number of the owner that writes; null where the store has none. */
  readonly owner: number | null;
  /** Called after each line that reached the disk, before the caller hears of it. */
  readonly onAppended?: (() => void) | undefined;
}

export function createRecordWriter(path: string, options: RecordWriterOptions): RecordWriter {
  const { files, owner, onAppended } = options;
  let { line, check, size } = options.end;
  let isTorn = false;

  async function cutTorn(): Promise<void> {
    await files.close([path]);
    await truncate(path, size);
  }

  return {
    append: async (body) => {
      const sealed = sealLine(body, { previous: check, owner });
      if (isTorn) await cutTorn();
      isTorn = true;
      await files.append(path, sealed.bytes, { sync: true });
      isTorn = false;
      line += 1;
      check = sealed.check;
      size += sealed.bytes.length;
      onAppended?.();
    },
    position: () => ({ line, check }),
  };
}
