import { isTaskListing } from '../requests/route-of.ts';
import { answeringScript } from '../scripts.ts';
import { startWorld } from '../world.ts';
import { type DaemonMemory, measureSettled, startMeasurable } from './measure-settled.ts';

/** A daemon that has looked for tasks and found none. */
export async function measureIdle(): Promise<DaemonMemory> {
  const polled = Promise.withResolvers<void>();
  const world = await startWorld({
    script: answeringScript,
    onRequest: (request) => {
      if (isTaskListing(request)) polled.resolve();
    },
  });
  const daemon = startMeasurable(world, { once: false });
  try {
    await daemon.whileRunning(polled.promise);
    return await measureSettled(daemon);
  } finally {
    await daemon.end();
    await world.close();
  }
}
