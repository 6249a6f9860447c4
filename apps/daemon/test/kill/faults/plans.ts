import { setTimeout as delay } from 'node:timers/promises';
import type { SeededRandom } from '@agent/simulators/trials';
import { drawBed, drawDeaths, drawTalk, liveOnce } from './draw.ts';
import type { Effect, Fault, Meant } from './fault.ts';
import type { PlanTrial } from './random-trial.ts';
import type { Route } from './route.ts';

export const planKills =
  (how: 'kill' | 'killTree'): PlanTrial =>
  (random) => {
    const deaths = drawDeaths(random);
    return {
      bed: drawBed(random),
      turns: drawTalk(random),
      faults: [],
      told: deaths.map((ms) => `${how} after ${ms} ms`),
      harm: async (bed) => {
        for (const ms of deaths) await liveOnce(bed, (life) => delay(ms).then(life[how]));
      },
    };
  };

const allRoutes: readonly [Route, ...Route[]] = [
  'task-list',
  'thread',
  'comment-list',
  'comment-write',
  'label',
  'permission',
  'change-request',
  'reaction',
  'git',
  'model',
];

export const passing: readonly [Effect, ...Effect[]] = [
  { kind: 'reset', side: 'before' },
  { kind: 'reset', side: 'after' },
  { kind: 'status', status: 500, side: 'before' },
  { kind: 'status', status: 502, side: 'after' },
  { kind: 'status', status: 503, side: 'before' },
  { kind: 'status', status: 429, side: 'before', headers: { 'retry-after': '1' } },
  { kind: 'status', status: 429, side: 'before' },
  { kind: 'truncated' },
  { kind: 'slow', ms: 300 },
];

function drawFault(random: SeededRandom, effects: readonly [Effect, ...Effect[]]): Fault {
  const meant: Meant = { routes: [random.pick(allRoutes)] };
  const effect = random.pick(effects);
  const isLong = random.next() < 0.3;
  return isLong
    ? { meant, effect, forMs: random.between(200, 1_500) }
    : { meant, effect, times: random.between(1, 3) };
}

export const drawFaults = (random: SeededRandom, effects: readonly [Effect, ...Effect[]]): readonly Fault[] =>
  Array.from({ length: random.between(1, 4) }, () => drawFault(random, effects));

export const planNet: PlanTrial = (random) => {
  const deaths = random.next() < 0.4 ? drawDeaths(random) : [];
  return {
    bed: drawBed(random),
    turns: drawTalk(random),
    faults: drawFaults(random, passing),
    told: deaths.map((ms) => `kill after ${ms} ms`),
    harm: async (bed) => {
      for (const ms of deaths) await liveOnce(bed, (life) => delay(ms).then(life.kill));
      await liveOnce(bed);
    },
  };
};

const refusals: readonly [Effect, ...Effect[]] = [401, 403, 404, 410, 422].map(
  (status): Effect => ({ kind: 'status', status, side: 'before' }),
) as [Effect, ...Effect[]];

export const planRefusals: PlanTrial = (random) => ({
  bed: drawBed(random),
  turns: drawTalk(random),
  faults: drawFaults(random, refusals),
  told: [],
  harm: async (bed) => liveOnce(bed),
});

export const planStale: PlanTrial = (random) => ({
  bed: drawBed(random),
  turns: drawTalk(random),
  faults: Array.from({ length: random.between(1, 3) }, () => ({
    meant: {
      routes: [random.pick(['comment-list', 'comment-list', 'thread', 'label'] as const)],
      only: 'reads',
    },
    effect: random.pick<Effect>([
      { kind: 'stale', youngMs: random.between(200, 1_500) },
      { kind: 'unchanged' },
    ]),
    times: random.between(1, 4),
  })),
  told: [],
  harm: async (bed) => liveOnce(bed),
});
