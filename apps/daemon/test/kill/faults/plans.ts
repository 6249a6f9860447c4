import { setTimeout as delay } from 'node:timers/promises';
import type { SeededRandom } from '../seeded-random.ts';
import type { DaemonLife } from './daemon-life.ts';
import type { Effect, Fault, Meant } from './fault.ts';
import type { Saying } from './people.ts';
import type { PlanTrial, Turn } from './random-trial.ts';
import type { Route } from './route.ts';
import type { TrialBed } from './trial-bed.ts';

const steps = 6;

/** What people say, edit and take back while a run is under way. */
function drawTalk(random: SeededRandom, most = 6): readonly Turn[] {
  const said: (Saying | undefined)[] = [];
  return Array.from({ length: random.between(2, most) }, (_, index): Turn => {
    const step = random.between(0, steps);
    const what = random.pick(['alice', 'alice', 'bob', 'edit', 'edit', 'remove'] as const);
    const earlier = random.between(0, index);
    if (what === 'edit' || what === 'remove') {
      return {
        step,
        what: `${what} of comment ${earlier}`,
        happen: ({ people }) => {
          const saying = said[earlier];
          if (saying !== undefined) people[what](saying);
        },
      };
    }
    return {
      step,
      what: `${what} says something`,
      happen: ({ people }) => {
        said[index] = people.say({ by: what });
      },
    };
  });
}

/** A place and a kind of endpoint. */
function drawBed(random: SeededRandom) {
  const forge = random.pick(['github', 'gitlab'] as const);
  const kind = random.pick(['issue', 'issue', 'change-request'] as const);
  return { forge, kind, steps };
}

/** A life that ends by itself, or of which something else makes an end. */
type Ending = (life: DaemonLife, bed: TrialBed) => Promise<void>;

async function liveOnce(bed: TrialBed, end: Ending = async () => {}): Promise<void> {
  const life = bed.start({ once: true });
  await Promise.race([life.exited, end(life, bed)]);
  await life.exited;
}

/** As long as a run takes, more or less. */
const drawMoment = (random: SeededRandom): number => random.between(300, 2_400);

/** Never three deaths in a row: they give a run up, as they should. */
const drawDeaths = (random: SeededRandom): readonly number[] =>
  Array.from({ length: random.between(1, 2) }, () => drawMoment(random));

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

const passing: readonly [Effect, ...Effect[]] = [
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

const drawFaults = (random: SeededRandom, effects: readonly [Effect, ...Effect[]]): readonly Fault[] =>
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
