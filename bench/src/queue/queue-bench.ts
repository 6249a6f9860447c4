import type { Bench } from '../report.ts';
import { type Burst, measureBurst } from './measure-burst.ts';
import { measureHour } from './measure-hour.ts';
import { toQueueReport } from './queue-report.ts';

const burstSizes = [10, 25, 50, 100] as const;
const waiting = 300;

/** How long queues are worked off: many tasks that end at once, and many that wait at GitHub's limits. */
export const queueBench: Bench = {
  name: 'queue',
  run: async ({ onProgress }) => {
    const bursts: Burst[] = [];
    for (const tasks of burstSizes) {
      onProgress(`${tasks} tasks whose models answer at once`);
      bursts.push(await measureBurst(tasks));
    }
    onProgress('counting git processes');
    const { gitPerTask } = await measureBurst(10, { countsGit: true });
    onProgress(`${waiting} issues that wait, at GitHub's limits`);
    return toQueueReport({ bursts, gitPerTask: gitPerTask ?? 0, hour: await measureHour(waiting) });
  },
};
