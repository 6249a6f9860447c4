import type { MessageLike, RunSummary } from '../journal-model.ts';
import { toContextLine } from './message-line.ts';

/** Values as lines of JSON. */
export function toLines(values: readonly object[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}

/** A message in the context, by number. */
export interface ProjectedLine {
  readonly seq: number;
  readonly line: object;
  readonly isSystem: boolean;
}

/** Makes the line of a message. */
export function toProjectedMessage({
  seq,
  message,
}: {
  readonly seq: number;
  readonly message: MessageLike;
}): ProjectedLine {
  return { seq, line: toContextLine(message), isSystem: message.role === 'system' };
}

/**
 * The lines of `current.jsonl`: summaries in the place of what they stand for, all else as it came. The system's
 * message is never summarized.
 */
export function projectContext(
  lines: readonly ProjectedLine[],
  summaries: readonly RunSummary[],
): readonly object[] {
  const standing = keepUncovered(summaries);
  const covers = (seq: number) => standing.some(({ startSeq, endSeq }) => startSeq <= seq && seq <= endSeq);
  const kept = lines.filter(({ seq, isSystem }) => isSystem || !covers(seq));
  const replaced = standing.map(({ startSeq, text }) => ({
    seq: startSeq,
    line: { role: 'assistant', content: text },
  }));
  return [...kept, ...replaced].sort((a, b) => a.seq - b.seq).map(({ line }) => line);
}

/** Leaves out what a later summary stands for as well. */
function keepUncovered(summaries: readonly RunSummary[]): RunSummary[] {
  return summaries.filter(
    (summary, index) =>
      !summaries
        .slice(index + 1)
        .some(({ startSeq, endSeq }) => startSeq <= summary.startSeq && summary.endSeq <= endSeq),
  );
}
