import type { Bench, Report } from '../report.ts';
import { type Arrival, measureThread, type ThreadFigures } from './measure-thread.ts';

const counts = [0, 300, 3_000] as const;
const arrivals: readonly Arrival[] = ['before', 'during'];
const mostComments = Math.max(...counts);
const toMb = (kb: number): number => kb / 1024;

/** The daemon's peak memory in a run on whose thread an untrusted user wrote many comments. */
export const longThreadBench: Bench = {
  name: 'long-thread',
  run: async ({ onProgress }) => {
    const measured: ThreadFigures[] = [];
    for (const arrival of arrivals) {
      for (const comments of counts) {
        onProgress(`${comments} comments ${arrival} the run`);
        measured.push(await measureThread(comments, arrival));
      }
    }
    return toReport(measured);
  },
};

function toReport(measured: readonly ThreadFigures[]): Report {
  const longest = measured.filter(({ comments }) => comments === mostComments);
  return {
    title: 'long-thread: what a run holds on a thread with many comments',
    tables: [
      {
        caption: 'Peak RSS of the daemon process, and its life from start to end',
        columns: ['comments', 'written', 'peak MB', 'seconds'],
        rows: measured.map(({ comments, arrival, peakKb, totalMs }) => [
          String(comments),
          arrival === 'before' ? 'before the run' : 'during the run',
          toMb(peakKb).toFixed(1),
          (totalMs / 1000).toFixed(1),
        ]),
      },
    ],
    goals: longest.map(({ comments, arrival, peakKb }) => ({
      name: `peak RSS, ${comments} comments written ${arrival} the run`,
      measured: Math.round(toMb(peakKb)),
      atMost: 250,
      unit: 'MB',
    })),
    notes: [
      'Each comment has 4 KB and is written by a user without write access. The window of the model decides how many of them it is shown.',
      'The peak is what the kernel counts for the process alone (VmHWM). It contains Node itself, about 60 MB of it shared with other Node processes.',
      'Comments that are written during the run arrive while the model answers for the first time, and are delivered with its second request.',
    ],
  };
}
