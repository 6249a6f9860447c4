import { subtractTraffic, type Traffic } from './metered-fetch.ts';
import type { WatchedThread, Watcher } from './watchers.ts';

/** What a task's checks cost, by phase. */
export interface TaskCosts {
  /** The listing that says what is history. */
  readonly baseline: Traffic;
  /** Of all checks after it; where fewer were made, in proportion. */
  readonly checks: Traffic & { readonly processorMs: number };
  /** Share of the new comments that was found, 0 to 1. */
  readonly recall: number;
  /** The one further look before a run ends. */
  readonly end: Traffic;
}

export interface TaskOptions {
  readonly thread: WatchedThread;
  /** How many checks a task has. */
  readonly checks: number;
  /** How many of them are made; the rest is calculated. */
  readonly made: number;
}

const newComments = 3;
const betweenChecksMs = 10_000;

/** A task that checks its thread again and again, and on which somebody comments three times meanwhile. */
export async function measureTask(watcher: Watcher, options: TaskOptions): Promise<TaskCosts> {
  const { thread, checks, made } = options;
  const { forge, number, clock } = thread;
  await watcher.initialize();
  const baseline = watcher.read();
  const newsAt = new Set(Array.from({ length: newComments }, (_, index) => toNewsCheck(index, made)));
  const found = new Set<string>();
  let processorMs = 0;
  for (let check = 1; check <= made; check += 1) {
    clock.time += betweenChecksMs;
    if (newsAt.has(check)) await forge.comment({ number, at: clock.time, author: 'alice', count: 1 });
    const before = process.cpuUsage();
    const { added } = await watcher.check();
    const { user, system } = process.cpuUsage(before);
    processorMs += (user + system) / 1000;
    for (const id of added) found.add(id);
  }
  const afterChecks = watcher.read();
  clock.time += betweenChecksMs;
  await watcher.checkAtEnd();
  const traffic = subtractTraffic(afterChecks, baseline);
  return {
    baseline,
    checks: scale({ ...traffic, processorMs }, checks / made),
    recall: found.size / newComments,
    end: subtractTraffic(watcher.read(), afterChecks),
  };
}

/** In the middle of the first, the second and the third part of the checks. */
function toNewsCheck(index: number, checks: number): number {
  return Math.ceil(((index + 0.5) * checks) / newComments);
}

function scale(costs: TaskCosts['checks'], factor: number): TaskCosts['checks'] {
  return {
    requests: costs.requests * factor,
    counted: costs.counted * factor,
    bytes: costs.bytes * factor,
    processorMs: costs.processorMs * factor,
  };
}
