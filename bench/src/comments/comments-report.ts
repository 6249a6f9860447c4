import type { Goal, Report, Table } from '../report.ts';
import type { OwnWriteCosts } from './measure-own-writes.ts';
import type { QuietCosts } from './measure-quiet.ts';
import type { Recall } from './measure-recall.ts';
import type { TaskCosts } from './measure-task.ts';

/** One way on threads of one length. */
export interface WayFigures {
  readonly task: TaskCosts;
  readonly quiet: QuietCosts;
}

/** Both ways on threads of one length. */
export interface LengthFigures {
  readonly comments: number;
  readonly ours: WayFigures;
  readonly seed: WayFigures;
}

export interface RecallFigures {
  readonly comments: number;
  readonly ways: readonly Recall[];
}

export interface CommentsFigures {
  readonly lengths: readonly LengthFigures[];
  readonly recalls: readonly RecallFigures[];
  readonly ownWrites: readonly OwnWriteCosts[];
}

/** The figures in tables. */
export function toCommentsReport(
  figures: CommentsFigures,
  { checks, rounds }: { readonly checks: number; readonly rounds: number },
): Report {
  const { lengths, recalls, ownWrites } = figures;
  return {
    title: 'comments: what it costs to hear a thread, and how much of it is heard',
    tables: [
      toTaskTable(lengths, checks),
      toBaselineTable(lengths),
      toQuietTable(lengths),
      toRecallTable(recalls),
      toOwnWriteTable(ownWrites),
    ],
    goals: toGoals(figures),
    notes: [
      'Ours: the manager and the GitHub adapter with the real Octokit. The seed: every page of 100 at every check, by the links that GitHub gives, with the bare fetch of Node. GitHub is simulated by a process of its own.',
      '"Counted" is what GitHub takes off the primary limit: every answer but 304. Bytes are those of the answers, headers included, not compressed; processor time is that of the client alone.',
      `A task: ${checks} checks, 10 s apart; somebody comments before 3 of them. The look at the end asks for deletions too, where the thread has at most 1,000 comments. On 10,000 comments 10 checks of the seed's way are made and multiplied.`,
      `Quiet checks: medians of ${rounds} rounds, interleaved over all lengths, each way by itself.`,
      'Recall: 3 single comments, 150 within one second, and edits of 3 old comments, all ways on the same thread. The seeds and the earlier programs compare ids only, so that no edit is seen.',
      "Writes of our own: each is followed by 3 checks; the write itself is not in the figures. Limits are lifted: the seed's way needs more than an hour's requests on 10,000 comments.",
    ],
  };
}

function toTaskTable(lengths: readonly LengthFigures[], checks: number): Table {
  const row = (comments: number, way: string, { task }: WayFigures) => [
    String(comments),
    way,
    task.checks.requests,
    task.checks.counted,
    formatBytes(task.checks.bytes),
    task.checks.processorMs.toFixed(0),
    formatShare(task.recall),
    `${task.end.requests} (${task.end.counted})`,
  ];
  return {
    caption: `A task with ${checks} checks and 3 new comments, after its baseline`,
    columns: [
      'comments',
      'way',
      'requests',
      'counted',
      'down',
      'processor, ms',
      'found',
      'at its end (counted)',
    ],
    rows: lengths.flatMap(({ comments, ours, seed }) => [
      row(comments, 'ours', ours),
      row(comments, 'seed', seed),
    ]),
  };
}

function toBaselineTable(lengths: readonly LengthFigures[]): Table {
  const cells = ({ task: { baseline } }: WayFigures) => [baseline.counted, formatBytes(baseline.bytes)];
  return {
    caption: 'The baseline: the listing that says what is history',
    columns: ['comments', 'ours, counted', 'down', 'seed, counted', 'down'],
    rows: lengths.map(({ comments, ours, seed }) => [String(comments), ...cells(ours), ...cells(seed)]),
  };
}

function toQuietTable(lengths: readonly LengthFigures[]): Table {
  const cells = ({ quiet }: WayFigures) => [
    quiet.requests,
    formatBytes(quiet.bytes),
    quiet.processorMs.toFixed(2),
  ];
  return {
    caption: 'One check when nobody has said anything',
    columns: [
      ...['comments', 'ours: requests', 'down', 'processor, ms'],
      ...['seed: requests', 'down', 'processor, ms', 'bytes, ratio', 'processor, ratio'],
    ],
    rows: lengths.map(({ comments, ours, seed }) => [
      String(comments),
      ...cells(ours),
      ...cells(seed),
      `${(seed.quiet.bytes / ours.quiet.bytes).toFixed(0)}x`,
      `${(seed.quiet.processorMs / ours.quiet.processorMs).toFixed(1)}x`,
    ]),
  };
}

function toRecallTable(recalls: readonly RecallFigures[]): Table {
  return {
    caption: 'Recall: how much of what was said is heard',
    columns: ['comments', 'way', 'single comments', '150 in one second', 'edits'],
    rows: recalls.flatMap(({ comments, ways }) =>
      ways.map(({ way, single, burst, edits }) => [
        String(comments),
        way,
        ...[single, burst, edits].map(formatShare),
      ]),
    ),
  };
}

function toOwnWriteTable(ownWrites: readonly OwnWriteCosts[]): Table {
  return {
    caption: 'What our own writes cost those who look',
    columns: ['what', 'writes', 'requests', 'counted', 'counted per write'],
    rows: ownWrites.map(({ what, writes, requests, counted }) => [
      what,
      writes,
      requests,
      counted,
      (counted / writes).toFixed(2),
    ]),
  };
}

function toGoals({ lengths, recalls, ownWrites }: CommentsFigures): readonly Goal[] {
  const shortest = findLength(lengths, 10);
  const longest = findLength(lengths, 10_000);
  const own = recalls.flatMap(({ ways }) => ways.filter(({ way }) => way === 'ours'));
  const recall = Math.min(...own.flatMap(({ single, burst, edits }) => [single, burst, edits]));
  const [edits] = ownWrites;
  return [
    {
      name: 'recall at every length, bursts and edits included',
      measured: recall * 100,
      atLeast: 100,
      unit: '%',
    },
    {
      name: 'quiet check at 10,000: requests',
      measured: longest.ours.quiet.requests,
      atMost: 1,
      unit: 'requests',
    },
    {
      name: 'quiet check at 10,000: bytes of the seed over ours',
      measured: longest.seed.quiet.bytes / longest.ours.quiet.bytes,
      atLeast: 10_000,
      unit: 'x',
    },
    {
      name: 'quiet check: processor time at 10,000 over 10',
      measured: longest.ours.quiet.processorMs / shortest.ours.quiet.processorMs,
      atMost: 1.5,
      unit: 'x',
    },
    {
      name: 'a task after its baseline, counted, any length',
      measured: Math.max(...lengths.map(({ ours }) => ours.task.checks.counted)),
      atMost: 5,
      unit: 'requests',
    },
    {
      name: 'the same with the look at its end',
      measured: Math.max(...lengths.map(({ ours: { task } }) => task.checks.counted + task.end.counted)),
      atMost: 5,
      unit: 'requests',
    },
    {
      name: 'an edit of our own, counted',
      measured: edits === undefined ? Number.NaN : edits.counted / edits.writes,
      atMost: 1,
      unit: 'requests',
    },
  ];
}

function findLength(lengths: readonly LengthFigures[], comments: number): LengthFigures {
  const found = lengths.find((one) => one.comments === comments);
  if (found === undefined) throw new Error(`A thread of ${comments} comments was not measured.`);
  return found;
}

function formatShare(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}

function formatBytes(bytes: number): string {
  if (bytes < 10_000) return `${bytes.toFixed(0)} B`;
  return bytes < 10_000_000 ? `${(bytes / 1000).toFixed(0)} KB` : `${(bytes / 1_000_000).toFixed(0)} MB`;
}
