import { createHmac } from 'node:crypto';
import { createDoorbell } from '@agent/platforms/sources';
import { createGitHubOrigin, createWebhookReceiver } from '@agent/platforms/webhooks';
import { createDeliveryPools, type DeliveryPool } from './deliveries.ts';

/**
 * How many webhooks one core takes, printed as JSON: events in a second of processor time, by what is done with each.
 * Run by the bench `webhooks`, in a process of its own, with the code that the daemon runs.
 */
const secret = 'It is a secret to everybody';
const threads = 500;
const warmUp = 5_000;
const events = 10_000;
const rounds = 7;

const pools = createDeliveryPools(secret);
const origin = createGitHubOrigin({ secret });
const bell = createDoorbell();
let rings = 0;
for (let number = 1; number <= threads; number += 1)
  bell.onRing({ type: 'github_issue', owner: 'Codertocat', repo: 'Hello-World', number }, () => {
    rings += 1;
  });
const nothing = (): void => {};
const receiver = createWebhookReceiver({
  origin,
  repositories: pools.map(({ repository }) => repository),
  taskSign: { kind: 'label', label: 'coding agent' },
  bell: {
    ring: (ring) => {
      rings += 1;
      bell.ring(ring);
    },
  },
  wake: nothing,
  logger: { debug: nothing, warn: nothing },
});

type Work = (delivery: ReturnType<DeliveryPool['next']>) => unknown;
const works: Readonly<Record<string, Work>> = {
  'HMAC alone': ({ body }) => createHmac('sha256', secret).update(body).digest(),
  'JSON.parse alone': ({ body }) => JSON.parse(body.toString('utf8')),
  'verify alone': (delivery) => origin.open(delivery),
  'verify, parse, ring': async (delivery) => {
    const { status } = await receiver.receive(delivery);
    if (status !== 202) throw new Error(`A genuine delivery was answered with ${status}.`);
  },
};

async function perSecond(pool: DeliveryPool, work: Work): Promise<number> {
  const before = process.cpuUsage();
  for (let event = 0; event < events; event += 1) await work(pool.next());
  const { user, system } = process.cpuUsage(before);
  return events / ((user + system) / 1_000_000);
}

const chosen = [pools[0], pools.at(-1)].filter((pool) => pool !== undefined);
const figures: { bytes: number; work: string; perSecond: number[] }[] = [];
for (const pool of chosen) {
  const rows = Object.entries(works).map(([work, run]) => ({ work, run, perSecond: [] as number[] }));
  for (const { run } of rows) for (let event = 0; event < warmUp; event += 1) await run(pool.next());
  for (let round = 0; round < rounds; round += 1)
    for (const row of rows) row.perSecond.push(await perSecond(pool, row.run));
  figures.push(...rows.map(({ work, perSecond }) => ({ bytes: pool.bytes, work, perSecond })));
}
process.stdout.write(`${JSON.stringify({ figures, rings, threads })}\n`);
