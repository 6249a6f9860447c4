import { performance } from 'node:perf_hooks';
import { answeringScript } from '../scripts.ts';
import { repository, startWorld, type World } from '../world.ts';
import { type DaemonMemory, measureSettled, startMeasurable } from './measure-settled.ts';
import { createModelGate } from './model-gate.ts';
import { type Spans, toSpans } from './task-spans.ts';

export interface TasksMemory extends DaemonMemory {
  readonly tasks: number;
  /** From the opening of the gate to the daemon's end. */
  readonly untilEndMs: number;
  readonly spans: Spans;
}

/** What a daemon is given beside what it is given as a rule. */
export interface Surroundings {
  /** Sections of its configuration. */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly environment?: Readonly<Record<string, string>>;
}

/** A daemon whose tasks, all of one repository, wait in their first model call at the same time. */
export async function measureTasks(
  tasks: number,
  { config = {}, environment = {} }: Surroundings = {},
): Promise<TasksMemory> {
  const gate = createModelGate(tasks);
  const world = await startWorld({
    script: answeringScript,
    concurrency: tasks,
    onModelCall: gate.onModelCall,
    config,
  });
  const numbers = Array.from({ length: tasks }, (_, index) => world.openIssue(`Question ${index + 1}`));
  const daemon = startMeasurable(world, { once: true, environment });
  try {
    await daemon.whileRunning(gate.full);
    const memory = await measureSettled(daemon);
    const openedAt = performance.now();
    gate.open();
    await daemon.succeeded;
    const untilEndMs = performance.now() - openedAt;
    for (const number of numbers) requireDone(world, number);
    return { tasks, ...memory, untilEndMs, spans: toSpans(daemon.log.lines) };
  } finally {
    gate.open();
    await daemon.end();
    await world.close();
  }
}

/** Figures of runs that went wrong would be figures of something else. */
function requireDone({ gitHub }: World, number: number): void {
  const { labels } = gitHub.thread(repository, number);
  if (!labels.includes('coding agent done')) throw new Error(`The task ${number} did not succeed.`);
}
