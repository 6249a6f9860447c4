import type { Bench } from '../report.ts';
import { measureLatency } from './measure-latency.ts';
import { measureThroughput } from './measure-throughput.ts';
import { toWebhooksReport } from './webhooks-report.ts';

const events = 100;
const quietSteps = 30;

/** How many webhooks a core takes, and how soon the model knows what one tells of. */
export const webhooksBench: Bench = {
  name: 'webhooks',
  run: async ({ onProgress }) => {
    onProgress('events on one core');
    const throughput = await measureThroughput();
    onProgress(`${events} comments during one run, about two minutes`);
    const latency = await measureLatency({ events, quietSteps });
    return toWebhooksReport({ throughput, latency });
  },
};
