import type { LogLine } from '../daemon-log.ts';

/** When the first and the last of the tasks got past a point, in milliseconds after the daemon was ready. */
export interface Span {
  readonly first: number;
  readonly last: number;
}

/** How long tasks took to get under way. */
export interface Spans {
  /** The thread is read, the journal is open. */
  readonly begun: Span;
  /** The worktree stands. */
  readonly opened: Span;
}

/** Reads the spans out of a daemon's log. */
export function toSpans(lines: readonly LogLine[]): Spans {
  const timesOf = (message: string): readonly number[] => {
    const times = lines.filter(({ msg }) => msg === message).map(({ time }) => Number(time));
    if (times.length === 0) throw new Error(`The daemon never said "${message}".`);
    return times;
  };
  const readyAt = Math.min(...timesOf('ready'));
  const spanOf = (message: string): Span => {
    const times = timesOf(message).map((time) => time - readyAt);
    return { first: Math.min(...times), last: Math.max(...times) };
  };
  return { begun: spanOf('started task'), opened: spanOf('opened workspace') };
}
