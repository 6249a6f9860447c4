import { performance } from 'node:perf_hooks';
import { type DaemonProcess, startDaemon } from '../daemon-process.ts';
import { createModelGate } from '../memory/model-gate.ts';
import { answeringScript } from '../scripts.ts';
import { startWorld } from '../world.ts';
import { type CountedGit, countGit } from './count-git.ts';

/** Tasks of one repository whose models answer at the same moment. */
export interface Burst {
  readonly tasks: number;
  /** From the models' answers to the daemon's end. */
  readonly untilEndMs: number;
  /** Runs that ended without a last look at their thread. */
  readonly withoutLastPoll: number;
  /** Times that a task was refused and put back. */
  readonly putBack: number;
  /** git processes of the whole life of the daemon, for each task; null where they were not counted. */
  readonly gitPerTask: number | null;
}

/** Opens the gate for all of them at once, and waits for their ends. */
export async function measureBurst(
  tasks: number,
  options: { readonly countsGit?: boolean } = {},
): Promise<Burst> {
  const gate = createModelGate(tasks);
  const world = await startWorld({
    script: answeringScript,
    concurrency: tasks,
    onModelCall: gate.onModelCall,
  });
  const git: CountedGit | null = options.countsGit === true ? await countGit(world.directory) : null;
  for (let index = 1; index <= tasks; index += 1) world.openIssue(`Question ${index}`);
  const daemon = startDaemon(world, { once: true, environment: git?.environment ?? {} });
  try {
    await daemon.whileRunning(gate.full);
    const openedAt = performance.now();
    gate.open();
    await daemon.succeeded;
    const untilEndMs = performance.now() - openedAt;
    const processes = git === null ? null : await git.count();
    return {
      tasks,
      untilEndMs,
      ...countTrouble(daemon),
      gitPerTask: processes === null ? null : processes / tasks,
    };
  } finally {
    gate.open();
    await daemon.end();
    await world.close();
  }
}

/** What a daemon's log says of runs that did not end as they should. */
export function countTrouble({
  log,
}: Pick<DaemonProcess, 'log'>): Pick<Burst, 'withoutLastPoll' | 'putBack'> {
  const times = (message: string) => log.lines.filter(({ msg }) => msg === message).length;
  return {
    withoutLastPoll: times('finishing without final poll'),
    putBack: times('failed to run task'),
  };
}
