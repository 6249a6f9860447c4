import { performance } from 'node:perf_hooks';
import { startDaemon } from '../daemon-process.ts';
import { isTaskListing } from '../requests/route-of.ts';
import { answeringScript } from '../scripts.ts';
import { startWorld, type World } from '../world.ts';

/** A world whose daemon can be started again and again. */
export interface PollTimer {
  readonly world: World;
  /** Milliseconds from before the spawn to the first request for the list of issues; the daemon has ended then. */
  readonly timeToPoll: (temporaryDirectory: string) => Promise<number>;
}

/** Starts what a daemon needs to get ready: a GitHub with one repository and nothing to do. */
export async function createPollTimer(): Promise<PollTimer> {
  let onPoll = () => {};
  const world = await startWorld({
    script: answeringScript,
    onRequest: (request) => {
      if (isTaskListing(request)) onPoll();
    },
  });
  return {
    world,
    timeToPoll: async (temporaryDirectory) => {
      const polled = Promise.withResolvers<number>();
      onPoll = () => polled.resolve(performance.now());
      const startedAt = performance.now();
      const daemon = startDaemon(world, { once: false, environment: { TMPDIR: temporaryDirectory } });
      const polledAt = await daemon.whileRunning(polled.promise);
      await daemon.end();
      return polledAt - startedAt;
    },
  };
}
