import { describe, expect, it } from 'vitest';
import { toQueueReport } from './queue-report.ts';

const burst = (tasks: number, untilEndMs: number) => ({
  tasks,
  untilEndMs,
  withoutLastPoll: tasks === 100 ? 1 : 0,
  putBack: 0,
  gitPerTask: null,
});
const hour = {
  tasks: 300,
  completed: 299,
  requestsPerRun: 17.5,
  refused: 2,
  repeatedReads: 3,
  withoutLastPoll: 0,
  putBack: 4,
  lastEndedMinutes: 95.4,
};

describe('toQueueReport', () => {
  it('holds the largest burst and the queue at limits against the goals', () => {
    const { goals, tables } = toQueueReport({
      bursts: [burst(10, 900), burst(100, 8_100)],
      gitPerTask: 9,
      hour,
    });
    expect(goals.map(({ measured }) => measured)).toEqual([8.1, 0.9, 5, 299, 17.5, 5]);
    expect(tables[1]?.rows[1]).toEqual(['last one ended after, minutes of the scaled clock', 95]);
  });
});
