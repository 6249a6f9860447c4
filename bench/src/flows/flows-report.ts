import type { Report } from '../report.ts';
import type { Flow } from './read-trace.ts';

/** A flow with its name and the number of files that it should pass at most; null where none is set. */
export interface FlowFigure extends Flow {
  readonly name: string;
  readonly aim: number | null;
}

/** A table of all flows, and the files of each in the order in which they are entered. */
export function toFlowsReport(flows: readonly FlowFigure[]): Report {
  return {
    title: 'flows: the files that a reader passes who follows one thing through the running program',
    tables: [
      {
        caption: 'Files of packages and apps, without board, logs and the estimate of tokens',
        columns: ['flow', 'files', 'functions'],
        rows: flows.map(({ name, files, functions }) => [name, files.length, functions]),
      },
      ...flows.map(({ name, files }) => ({
        caption: name,
        columns: ['', 'file'],
        rows: files.map((file, index) => [index + 1, file]),
      })),
    ],
    goals: flows.flatMap(({ name, files, aim }) =>
      aim === null ? [] : [{ name, measured: files.length, unit: 'files', atMost: aim }],
    ),
    notes: [
      'Traced in the sources as they run: each function tells of its entry. Whatever else the program does at that time is counted, too:',
      "a restart with the daemon's own start, other polls. The daemon runs against the simulated GitHub, in English, without pre-planning.",
    ],
  };
}
