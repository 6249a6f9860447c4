import type { CheckedPromise } from './checked-promise.ts';
import type { Printer } from './printer.ts';

export interface OutcomeOptions {
  readonly printer: Printer;
  /** Shown if something failed. Default none. */
  readonly log?: readonly string[];
  /** What the reader can do next, if everything passed. */
  readonly next: string;
}

/** The command that begins the reader's own setup. */
export const nextCommand = 'npm run daemon -- init   # writes a configuration for your own repository';

/** Prints the checks, and what the reader can do next. @returns the checks */
export function showOutcome(
  promises: CheckedPromise[],
  { printer, log = [], next }: OutcomeOptions,
): CheckedPromise[] {
  printer.heading('Checks');
  for (const { promise, kept } of promises) printer.verdict(promise, kept);
  if (promises.every(({ kept }) => kept)) {
    printer.heading('Next');
    printer.block(next);
    return promises;
  }
  if (log.length > 0) {
    printer.heading("The end of the daemon's log (--verbose shows all of it)");
    printer.block(log.join('\n'));
  }
  return promises;
}

/** The changed lines of a diff, under the names of their files. */
export function shortenDiff(diff: string): string {
  const lines = diff.split('\n').flatMap((line) => {
    const [, path] = /^diff --git a\/\S+ b\/(\S+)$/.exec(line) ?? [];
    if (path !== undefined) return [path];
    return /^(?:\+(?!\+\+ )|-(?!-- ))/.test(line) ? [line] : [];
  });
  return lines.join('\n');
}
