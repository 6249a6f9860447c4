import type { RunSummary } from '../journal-model.ts';

/** Values as lines of JSON. */
export function toLines(values: readonly object[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}

/** A message in the context, by number. */
export interface ProjectedLine {
  readonly seq: number;
  readonly contextLine: string;
  readonly isSystem: boolean;
}

/**
 * The lines of `current.jsonl`: summaries in the place of what they stand for, all else as it came. The system's
 * message is never summarized.
 */
export function projectContext(lines: readonly ProjectedLine[], summaries: readonly RunSummary[]): string {
  const standing = keepUncovered(summaries);
  const covers = (seq: number) => standing.some(({ startSeq, endSeq }) => startSeq <= seq && seq <= endSeq);
  const kept = lines.filter(({ seq, isSystem }) => isSystem || !covers(seq));
  const replaced = standing.map(({ startSeq, text }) => ({
    seq: startSeq,
    contextLine: JSON.stringify({ role: 'assistant', content: text }),
  }));
  return [...kept, ...replaced]
    .sort((a, b) => a.seq - b.seq)
    .map(({ contextLine }) => `${contextLine}\n`)
    .join('');
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
