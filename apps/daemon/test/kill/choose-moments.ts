import { createSeededRandom, type SeededRandom } from '@agent/simulators/trials';
import type { Interruption, Kill, Pause } from './interruption.ts';
import { type Moment, momentKinds } from './moment.ts';
import type { Scenario } from './scenarios.ts';
import { type Baseline, measureBaseline } from './trial.ts';

export interface PlannedTrial {
  readonly scenario: Scenario;
  readonly interruptions: readonly Interruption[];
}

/**
 * Everything about a trial follows from its seed. Seeds in a row go through the kinds of moments, and through the
 * scenarios. Never more than two kills: three crashes without a step between them are meant to end a run.
 */
export async function planTrial(seed: number, scenarios: readonly Scenario[]): Promise<PlannedTrial> {
  const random = createSeededRandom(seed);
  const kind = momentKinds[seed % momentKinds.length] ?? 'time';
  const scenario = scenarios[Math.floor(seed / momentKinds.length) % scenarios.length];
  if (scenario === undefined) throw new Error('there is no scenario to choose from');
  const baseline = await measureBaseline(scenario);
  const first = chooseMoment(random, { kind, baseline, share: 1 });
  // What comes after a kill is shorter than the whole.
  const second = chooseMoment(random, { kind: random.pick(momentKinds), baseline, share: 0.6 });
  const kills = (random.next() < 0.4 ? [first, second] : [first]).map(toKill);
  const pauses = random.next() < 0.7;
  return { scenario, interruptions: pauses ? mixPause(random, { kills, baseline }) : kills };
}

function toKill(moment: Moment): Kill {
  return { act: 'kill', moment };
}

/** A pause before the kills, after them, or with a kill while the daemon pauses; never more kills than there were. */
function mixPause(
  random: SeededRandom,
  { kills, baseline }: { readonly kills: readonly Kill[]; readonly baseline: Baseline },
): readonly Interruption[] {
  const kind = random.pick(['request', 'request', 'time'] as const);
  const pause: Pause = {
    act: 'pause',
    what: random.pick(['everything', 'each run']),
    moment: chooseMoment(random, { kind, baseline, share: 0.8 }) as Pause['moment'],
    kill: null,
  };
  const place = random.pick(['before', 'after', 'within']);
  if (place === 'before') return [pause, ...kills];
  if (place === 'after') return [...kills, pause];
  const during = chooseMoment(random, { kind: random.pick(momentKinds), baseline, share: 0.2 });
  return [{ ...pause, kill: during }, ...kills.slice(1)];
}

function chooseMoment(
  random: SeededRandom,
  { kind, baseline, share }: { kind: Moment['kind']; baseline: Baseline; share: number },
): Moment {
  const upTo = (count: number): number => random.between(1, Math.max(1, Math.floor(count * share)));
  switch (kind) {
    case 'disk':
      return {
        kind,
        match: '',
        nth: upTo(baseline.diskWrites),
        side: random.pick(['before', 'torn', 'after']),
      };
    case 'request':
      return {
        kind,
        match: '',
        nth: upTo(baseline.requests),
        side: random.pick(['before', 'meanwhile', 'after']),
      };
    case 'time':
      return { kind, afterMs: upTo(baseline.durationMs) };
  }
}
