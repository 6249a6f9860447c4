import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** A line of the daemon's JSON log. */
export interface LogLine {
  readonly msg: string;
  readonly [field: string]: unknown;
}

export interface DaemonLog {
  /** Every line so far, oldest first. */
  readonly lines: readonly LogLine[];
  /** Resolves with the first line that has this message, written already or not yet; never when it does not come. */
  readonly find: (message: string) => Promise<LogLine>;
}

/** Reads the log that a daemon writes. */
export function readLog(output: Readable): DaemonLog {
  const lines: LogLine[] = [];
  const waiting = new Set<() => void>();
  createInterface({ input: output }).on('line', (text) => {
    lines.push(JSON.parse(text) as LogLine);
    for (const look of waiting) look();
  });
  return {
    lines,
    find: (message) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = lines.find(({ msg }) => msg === message);
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
  };
}
