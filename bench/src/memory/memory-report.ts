import type { Goal, Report, Table } from '../report.ts';
import type { DaemonMemory } from './measure-settled.ts';
import type { TasksMemory } from './measure-tasks.ts';

export interface MemoryFigures {
  readonly rounds: number;
  readonly idle: DaemonMemory;
  /** Ascending by number of tasks, beginning with 1. */
  readonly busy: readonly TasksMemory[];
}

/** What a further task adds: the difference to one task alone, shared among the others. */
export function toPerTask(
  measured: TasksMemory,
  { first, read }: { readonly first: TasksMemory; readonly read: (one: DaemonMemory) => number },
): number {
  return (read(measured) - read(first)) / (measured.tasks - first.tasks);
}

/** The figures in tables. */
export function toMemoryReport(figures: MemoryFigures): Report {
  return {
    title: 'memory: what the daemon process holds',
    tables: [toMemoryTable(figures), toPerTaskTable(figures), toSpanTable(figures)],
    goals: toGoals(figures),
    notes: [
      `Medians of ${figures.rounds} rounds. Every task waits in its first model call, 1 s after the last of them began to wait.`,
      "RSS is the built daemon's process alone, as the kernel counts it: Node itself, the heap with garbage not yet collected, sockets. It has no git in it (a process of its own each), no simulator, no model.",
      'Live is what a forced collection leaves of heap and buffers. It is the steadier figure: with memory to spare V8 lets garbage stand.',
      "The first task loads the AI SDK, the tools and the model's client; per task figures begin after it.",
      'Histories are short here (one question, no tool output); a real conversation adds its own text to its task.',
      "GitHub's spacing of writes is off (write_spacing_ms: 0), so that only the daemon's own time is seen.",
    ],
  };
}

const toMb = (kb: number): string => (kb / 1024).toFixed(1);

function toMemoryTable({ idle, busy }: MemoryFigures): Table {
  const toRow = (name: string, { residentKb, anonymousKb, liveKb }: DaemonMemory) => [
    name,
    toMb(residentKb),
    toMb(anonymousKb),
    toMb(liveKb),
  ];
  return {
    caption: 'Memory of the daemon process, MB',
    columns: ['tasks', 'RSS', 'of it anonymous', 'live'],
    rows: [toRow('idle', idle), ...busy.map((one) => toRow(String(one.tasks), one))],
  };
}

function toPerTaskTable({ busy }: MemoryFigures): Table {
  const [first, ...more] = busy;
  if (first === undefined) throw new Error('No tasks were measured.');
  return {
    caption: 'Per further concurrent task, KB',
    columns: ['from 1 task to', 'RSS', 'live'],
    rows: more.map((one) => [
      String(one.tasks),
      Math.round(toPerTask(one, { first, read: ({ residentKb }) => residentKb })),
      Math.round(toPerTask(one, { first, read: ({ liveKb }) => liveKb })),
    ]),
  };
}

function toSpanTable({ busy }: MemoryFigures): Table {
  return {
    caption:
      'How long tasks take to get under way and to end, seconds (one repository, one machine with the simulator)',
    columns: [
      'tasks',
      'last one begun',
      'first worktree',
      'last worktree',
      'per worktree',
      'all ended after',
    ],
    rows: busy.map(({ tasks, spans, untilEndMs }) => [
      String(tasks),
      toSeconds(spans.begun.last),
      toSeconds(spans.opened.first),
      toSeconds(spans.opened.last),
      tasks === 1 ? '–' : toSeconds((spans.opened.last - spans.opened.first) / (tasks - 1)),
      toSeconds(untilEndMs),
    ]),
  };
}

const toSeconds = (ms: number): string => (ms / 1000).toFixed(2);

function toGoals({ idle, busy }: MemoryFigures): readonly Goal[] {
  const first = busy[0];
  const most = busy.at(-1);
  if (first === undefined || most === undefined) return [];
  const perTask = toPerTask(most, { first, read: ({ residentKb }) => residentKb });
  return [
    { name: 'idle, RSS', measured: idle.residentKb / 1024, atMost: 110, unit: 'MB' },
    { name: `per task at ${most.tasks}, RSS`, measured: Math.round(perTask), atMost: 150, unit: 'KB' },
  ];
}
