import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import type { SimulatedRequest } from '@agent/simulators/github';
import { startDaemon } from '../daemon-process.ts';
import { isGitRequest } from '../requests/route-of.ts';
import { answeringScript } from '../scripts.ts';
import { repository, startWorld } from '../world.ts';
import { countTrouble } from './measure-burst.ts';

const scaledClock = fileURLToPath(new URL('./scaled-clock.mjs', import.meta.url));
/** An hour passes in a minute. */
const factor = 60;
const concurrency = 8;

/** What became of a long queue at GitHub's limits. */
export interface QueueHour {
  readonly tasks: number;
  readonly completed: number;
  /** REST requests that counted, for each run. */
  readonly requestsPerRun: number;
  /** Requests that GitHub refused by a limit. */
  readonly refused: number;
  /** Reads of one issue that counted, beyond those of the run that read its issue least often. */
  readonly repeatedReads: number;
  readonly withoutLastPoll: number;
  readonly putBack: number;
  /** From the daemon's start to the last one's end, in minutes of its clock. */
  readonly lastEndedMinutes: number;
}

/** Lets one daemon work off so many labeled issues at GitHub's documented limits, with the clocks of both sped up. */
export async function measureHour(tasks: number): Promise<QueueHour> {
  const base = Date.now();
  const requests: SimulatedRequest[] = [];
  const world = await startWorld({
    script: answeringScript,
    concurrency,
    onRequest: (request) => void requests.push(request),
    simulator: { now: () => base + (Date.now() - base) * factor, secondaryLimits: {} },
    writeSpacingMs: null,
  });
  const numbers = Array.from({ length: tasks }, (_, index) => world.openIssue(`Question ${index + 1}`));
  const environment = { BENCH_CLOCK_BASE: String(base), BENCH_CLOCK_FACTOR: String(factor) };
  const startedAt = performance.now();
  const daemon = startDaemon(world, { once: true, nodeArguments: ['--import', scaledClock], environment });
  try {
    await daemon.succeeded;
    const lastEndedMinutes = ((performance.now() - startedAt) * factor) / 60_000;
    const rest = requests.filter((request) => !isGitRequest(request));
    const isDone = (number: number) =>
      world.gitHub.thread(repository, number).labels.includes('coding agent done');
    return {
      tasks,
      completed: numbers.filter(isDone).length,
      requestsPerRun: rest.filter(({ status }) => status !== 304).length / tasks,
      refused: rest.filter(({ status }) => status === 403 || status === 429).length,
      repeatedReads: countRepeated(rest, numbers),
      ...countTrouble(daemon),
      lastEndedMinutes,
    };
  } finally {
    await daemon.end();
    await world.close();
  }
}

function countRepeated(requests: readonly SimulatedRequest[], numbers: readonly number[]): number {
  const isRead = ({ method, path, status }: SimulatedRequest, number: number) =>
    method === 'GET' && status !== 304 && path.endsWith(`/issues/${number}`);
  const readsOf = (number: number) => requests.filter((request) => isRead(request, number)).length;
  const reads = numbers.map(readsOf);
  const fewest = Math.min(...reads);
  return reads.reduce((sum, count) => sum + count - fewest, 0);
}
