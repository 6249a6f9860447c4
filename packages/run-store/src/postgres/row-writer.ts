import { ContextStoreError } from '../context-store-error.ts';
import { sealLine } from '../lines/record-line.ts';
import type { RecordPosition } from '../ports.ts';
import { findFactName } from '../record/read-record.ts';
import type { RecordWriter } from '../record/record-writer.ts';
import { wasTaken } from '../store/run-errors.ts';
import { isNoMember, type RunRows, type SealedText, type Writer } from './run-rows.ts';

/** Seals the text of a JSON object as the line behind this one. */
export function sealText(body: string, after: RecordPosition & { readonly owner: number }): SealedText {
  const { bytes, check } = sealLine(body, { previous: after.check, owner: after.owner });
  const fact = findFactName(bytes);
  const text = bytes.toString('utf8', 0, bytes.length - 1);
  return { line: after.line + 1, check, text, fact, state: fact === 'state' ? readStateFact(body) : null };
}

function readStateFact(body: string): SealedText['state'] {
  const { data } = JSON.parse(body) as { data: { name: string; value: unknown } };
  return { name: data.name, value: JSON.stringify(data.value) };
}

interface RowWriterOptions {
  readonly writer: Writer;
  readonly end: RecordPosition;
  /** Called once another opening writes to the run. */
  readonly onTaken?: (() => void) | undefined;
}

/** Appends lines for one opening of a run. Not for calls at the same time. */
export function createRowWriter(rows: RunRows, { writer, end, onTaken }: RowWriterOptions): RecordWriter {
  const { uuid, owner } = writer;
  let { line, check } = end;
  let unsure: SealedText | null = null;
  return {
    append: async (body) => {
      const next = sealText(body, { line, check, owner });
      if (unsure !== null) await rows.takeBack(writer, { last: unsure, before: { line, check } });
      unsure = next;
      const result = await rows.append(writer, { previous: check, next });
      if (result === 'lost') throw isNoMember();
      if (result === 'taken') {
        onTaken?.();
        throw wasTaken(uuid);
      }
      if (result === 'other-end') throw isElsewhere(uuid);
      unsure = null;
      ({ line, check } = next);
    },
    position: () => ({ line, check }),
  };
}

function isElsewhere(uuid: string): ContextStoreError {
  const message = `The record of run ${uuid} no longer ends where this process last wrote: was the database restored from a backup? This process writes nothing more to it. The next process that opens it continues from its current end.`;
  return new ContextStoreError(message, { code: 'damaged' });
}
