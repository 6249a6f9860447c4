import type { Goal } from '../report.ts';
import type { CommentsFigures, LengthFigures } from './comments-figures.ts';

/** What hearing threads has to cost at most, and to hear at least. */
export function toCommentsGoals({ lengths, recalls, ownWrites }: CommentsFigures): readonly Goal[] {
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
