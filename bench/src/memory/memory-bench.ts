import type { Bench } from '../report.ts';
import { findMedian } from '../statistics.ts';
import { measureIdle } from './measure-idle.ts';
import type { DaemonMemory } from './measure-settled.ts';
import { measureTasks, type TasksMemory } from './measure-tasks.ts';
import { toMemoryReport } from './memory-report.ts';

const rounds = 3;
const taskCounts = [1, 10, 100] as const;

/** What the daemon's process holds: with nothing to do, and while 1, 10 and 100 tasks wait for the model. */
export const memoryBench: Bench = {
  name: 'memory',
  run: async ({ onProgress }) => {
    const idle: DaemonMemory[] = [];
    const busy: TasksMemory[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      onProgress(`round ${round} of ${rounds}: idle, then ${taskCounts.join(', ')} tasks`);
      idle.push(await measureIdle());
      for (const tasks of taskCounts) busy.push(await measureTasks(tasks));
    }
    return toMemoryReport({
      rounds,
      idle: toMedians(idle),
      busy: taskCounts.map((tasks) => toTaskMedians(busy.filter((one) => one.tasks === tasks))),
    });
  },
};

function toMedians(measured: readonly DaemonMemory[]): DaemonMemory {
  return {
    residentKb: findMedian(measured.map(({ residentKb }) => residentKb)),
    anonymousKb: findMedian(measured.map(({ anonymousKb }) => anonymousKb)),
    liveKb: findMedian(measured.map(({ liveKb }) => liveKb)),
    codeKb: findMedian(measured.map(({ codeKb }) => codeKb)),
  };
}

function toTaskMedians(measured: readonly TasksMemory[]): TasksMemory {
  const medianOf = (read: (one: TasksMemory) => number) => findMedian(measured.map(read));
  return {
    ...toMedians(measured),
    tasks: medianOf(({ tasks }) => tasks),
    untilEndMs: medianOf(({ untilEndMs }) => untilEndMs),
    spans: {
      begun: {
        first: medianOf(({ spans }) => spans.begun.first),
        last: medianOf(({ spans }) => spans.begun.last),
      },
      opened: {
        first: medianOf(({ spans }) => spans.opened.first),
        last: medianOf(({ spans }) => spans.opened.last),
      },
    },
  };
}
