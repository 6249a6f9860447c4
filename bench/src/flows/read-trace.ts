import { readFileSync } from 'node:fs';

/** A function that a traced program entered. */
export interface Entry {
  /** Milliseconds since 1970, as `now()` of this module tells them. */
  readonly at: number;
  readonly file: string;
  readonly name: string;
}

/** The files of a flow: those that it passes, in the order in which it first entered them. */
export interface Flow {
  readonly files: readonly string[];
  readonly functions: number;
}

/** The clock of traces; one for all processes of a machine. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}

/** Reads what a traced program wrote, in the order of time. A line that a kill cut off is left out. */
export function readTrace(file: string): readonly Entry[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.split('\t'))
    .flatMap(([at = '', path, name]) =>
      path === undefined || name === undefined ? [] : [{ at: Number(at), file: path, name }],
    )
    .sort((one, other) => one.at - other.at);
}

/** What watches every flow and is no part of any: the board, logs, the estimate of tokens. */
const BESIDE = /\/(?:board|log|live|tokens)\/|estimate-?tokens|\/logger\.ts$/;

/** Takes the entries between two moments. */
export function cutFlow(entries: readonly Entry[], from: number, to: number): Flow {
  const passed = entries.filter(({ at, file }) => at >= from && at <= to && !BESIDE.test(file));
  return {
    files: [...new Set(passed.map(({ file }) => file))],
    functions: new Set(passed.map(({ file, name }) => `${file} ${name}`)).size,
  };
}

/** The first moment at or after `from` when a function was entered whose `file name` matches; null when none was. */
export function firstEntry(entries: readonly Entry[], wanted: RegExp, from: number): number | null {
  return entries.find((entry) => entry.at >= from && wanted.test(`${entry.file} ${entry.name}`))?.at ?? null;
}

/** The last moment up to `to` when a function was entered whose `file name` matches; null when none was. */
export function lastEntry(entries: readonly Entry[], wanted: RegExp, to: number): number | null {
  return (
    entries.findLast((entry) => entry.at <= to && wanted.test(`${entry.file} ${entry.name}`))?.at ?? null
  );
}
