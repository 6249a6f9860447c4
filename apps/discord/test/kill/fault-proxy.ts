import { setTimeout as pause } from 'node:timers/promises';
import { type ProxyAnswer, type SeededRandom, startHttpProxy } from '@agent/simulators/trials';

/** Faults of a request on its way. */
const faults = [
  'reset-before',
  'reset-after',
  'close-after',
  'truncate',
  '500-before',
  '502-after',
  '503-before',
  '401-before',
  '429',
  'delay',
] as const;

export interface FaultProxy {
  /** Stands for Discord's API. */
  readonly apiUrl: string;
  /** Sets the share of requests that fail from now on, in percent. */
  readonly setTrouble: (percent: number) => void;
  /** Number of requests by fault. */
  readonly counts: ReadonlyMap<string, number>;
  readonly close: () => Promise<void>;
}

/** Starts a proxy between a bot and the REST API of a Discord, with faults. The gateway is not behind it. */
export async function startFaultProxy(apiUrl: string, random: SeededRandom): Promise<FaultProxy> {
  const { origin, pathname } = new URL(apiUrl);
  const counts = new Map<string, number>();
  let trouble = 0;
  const { url, close } = await startHttpProxy(origin, async ({ forward }) => {
    const fault = random.isLucky(trouble) ? random.pick(faults) : 'none';
    const delayMs = random.between(50, 800);
    counts.set(fault, (counts.get(fault) ?? 0) + 1);
    if (fault === 'reset-before') return 'reset';
    if (fault === '500-before' || fault === '503-before' || fault === '401-before')
      return refuse(Number(fault.slice(0, 3)));
    if (fault === '429') return slowDown;
    if (fault === 'delay') await pause(delayMs);
    const answer = await forward();
    if (fault === 'reset-after') return 'reset';
    if (fault === 'close-after') return 'close';
    return fault === '502-after' ? refuse(502) : { ...answer, isCut: fault === 'truncate' };
  });
  return {
    ...{ apiUrl: url + pathname, counts, close },
    setTrouble: (percent) => {
      trouble = percent;
    },
  };
}

const slowDown: ProxyAnswer = {
  status: 429,
  headers: { 'content-type': 'application/json', 'retry-after': '0.3', 'x-ratelimit-scope': 'shared' },
  body: Buffer.from(JSON.stringify({ message: 'slow down', retry_after: 0.3, global: false })),
};

function refuse(status: number): ProxyAnswer {
  const body = Buffer.from('<html>as the trial wants it</html>');
  return { status, headers: { 'content-type': 'text/html' }, body };
}
