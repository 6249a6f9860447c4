import type { DemoForge } from '@agent/simulators/demo';
import { createIssueStory, createLogTail } from '@agent/simulators/demo/parts';
import type { Printer } from './printer.ts';
import { createTimeline } from './timeline.ts';

/** Prints what happens, as it happens. */
export interface Narrator {
  /** Prints what there is before the daemon starts. */
  readonly begin: () => void;
  readonly daemonSays: (line: string) => void;
  readonly modelSays: (text: string) => void;
  readonly personSays: (who: 'mika' | 'ci', text: string) => void;
  /** Prints what reached the forge since the last line. */
  readonly catchUp: () => void;
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
