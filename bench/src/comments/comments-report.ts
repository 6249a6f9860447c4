import type { Report, Table } from '../report.ts';
import type { CommentsFigures, LengthFigures, RecallFigures, WayFigures } from './comments-figures.ts';
import { toCommentsGoals } from './comments-goals.ts';
import type { OwnWriteCosts } from './measure-own-writes.ts';

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
    goals: toCommentsGoals(figures),
    notes: [
      'Ours: the manager and the GitHub adapter with the real Octokit. The seed: every page of 100 at every check, by the links that GitHub gives, with the bare fetch of Node. GitHub is simulated by a process of its own.',
      '"Counted" is what GitHub takes off the primary limit: every answer but 304. Bytes are those of the answers, headers included, not compressed; processor time is that of the client alone.',
      `A task: ${checks} checks, 10 s apart; somebody comments before 3 of them. The look at its end lists the whole thread, of any length, because no listing shows a deletion. On 10,000 comments 10 checks of the seed's way are made and multiplied.`,
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

function formatShare(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}

function formatBytes(bytes: number): string {
  if (bytes < 10_000) return `${bytes.toFixed(0)} B`;
  return bytes < 10_000_000 ? `${(bytes / 1000).toFixed(0)} KB` : `${(bytes / 1_000_000).toFixed(0)} MB`;
}
