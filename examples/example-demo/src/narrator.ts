import type { DemoForge } from '@agent/simulators/demo';
import { createIssueStory, createLogTail } from '@agent/simulators/demo/parts';
import type { Printer } from './printer.ts';
import { createTimeline, type Timeline } from './timeline.ts';

/** Prints a demonstration from its beginning. */
export interface Narrator extends Timeline {
  /** Prints the state before the daemon starts. */
  readonly begin: () => void;
  /** The last lines of the daemon's log that were not printed. */
  readonly unprintedLog: () => readonly string[];
}

/** With `verbose` a timeline of the log; otherwise what users see on the issue. */
export function createNarrator(
  printer: Printer,
  forge: Pick<DemoForge, 'name' | 'requests' | 'issue' | 'progress'>,
  { verbose }: { readonly verbose: boolean },
): Narrator {
  if (verbose) return { ...createTimeline(printer, forge), begin: () => {}, unprintedLog: () => [] };
  const story = createIssueStory(forge, ({ heading, lines }) => {
    printer.part(heading);
    if (lines.length > 0) printer.diff(lines.join('\n'));
  });
  const log = createLogTail();
  return {
    begin: story.begin,
    daemonSays: (line) => {
      log.add(line);
      story.catchUp();
    },
    modelSays: story.catchUp,
    personSays: story.personSays,
    catchUp: story.catchUp,
    unprintedLog: log.lines,
  };
}
