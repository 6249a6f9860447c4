import type { SimulatedRequest } from '@agent/simulators/github';
import { startDaemon } from '../daemon-process.ts';
import { answeringScript } from '../scripts.ts';
import { startWorld } from '../world.ts';
import { type RunCosts, toCosts } from './measure-run.ts';
import { isTaskListing } from './route-of.ts';

/** A daemon with one repository and nothing to do, from its start to the end of its second poll. */
export async function measureIdlePolls(): Promise<RunCosts> {
  let polls = 0;
  const secondPoll = Promise.withResolvers<void>();
  const onRequest = (request: SimulatedRequest) => {
    if (isTaskListing(request)) polls += 1;
    if (polls === 2) secondPoll.resolve();
  };
  const world = await startWorld({ script: answeringScript, pollIntervalSeconds: 0.5, onRequest });
  const daemon = startDaemon(world, { once: false });
  try {
    await daemon.whileRunning(secondPoll.promise);
    return await toCosts('start and 2 idle polls', world);
  } finally {
    await daemon.end();
    await world.close();
  }
}
