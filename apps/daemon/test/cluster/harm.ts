import type { SeededRandom } from '@agent/simulators/trials';
import { stepsOfThread } from './cluster.ts';
import type { Cut, Role } from './cluster-process.ts';
import { type Way, ways } from './hosts.ts';

/**
 * When it happens. `question`: the model is asked; `line`: a line is written into the record; `heard`: one that says what was said on the thread, or the end of one that is quiet; `final`: the final comment is posted;
 * `push`: a branch is pushed; `label`: the labels change; `comments`: somebody looks what stands on the thread; `list`: a looker looks for tasks.
 */
export type MomentName = 'question' | 'line' | 'heard' | 'final' | 'push' | 'label' | 'comments' | 'list';

/** Something done to a process: the one that comes to this moment of a thread. */
export interface Harm {
  readonly kind: 'kill' | 'zombie' | 'partition';
  readonly role: Role;
  /** Number of the thread. */
  readonly thread: number;
  /** Results that the thread's conversation has when the moment is waited for; null: from its beginning. */
  readonly step: number | null;
  readonly moment: MomentName;
  /** Of the moments since, from 1. */
  readonly nth: number;
  readonly side: 'before' | 'after';
  /** Empty for other harm than a partition. */
  readonly ways: readonly Way[];
  readonly how: Cut;
  /** Until a dead process is started, a partition is mended, or a process that was taken over from wakes. */
  readonly forMs: number;
}

export interface HarmCounts {
  readonly kills: number;
  readonly partitions: number;
  readonly zombies: number;
}

export interface DrawOptions {
  readonly threads: number;
  readonly counts: HarmCounts;
  /** Number of the trial: it decides who is cut off from what. */
  readonly trial: number;
  readonly hasLinks: boolean;
}

/** Draws what befalls which thread: as many harms as were asked for, spread over all threads. */
export function drawHarms(random: SeededRandom, options: DrawOptions): readonly Harm[] {
  const { threads, counts, trial, hasLinks } = options;
  const kinds: readonly Harm['kind'][] = [
    ...Array<'kill'>(counts.kills).fill('kill'),
    ...Array<'zombie'>(counts.zombies).fill('zombie'),
    ...Array<'partition'>(counts.partitions).fill('partition'),
  ];
  const seats = shuffle(
    random,
    kinds.map((_, index) => (index % threads) + 1),
  );
  let partitions = trial * counts.partitions;
  return kinds.map((kind, index) => {
    const thread = seats[index] as number;
    if (kind === 'kill') return drawKill(random, thread);
    if (kind === 'zombie') return drawZombie(random, thread);
    partitions += 1;
    return drawPartition(random, { thread, hasLinks, number: partitions });
  });
}

const moments = [
  'question',
  'question',
  'line',
  'line',
  'line',
  'heard',
  'heard',
  'final',
  'push',
  'label',
] as const;
const atTheEnd: readonly MomentName[] = ['final', 'push', 'label'];
const undisturbed = { ways: [], how: 'refuses', nth: 1 } as const;

function drawKill(random: SeededRandom, thread: number): Harm {
  const side = random.pick(['before', 'after'] as const);
  const forMs = random.between(500, 12_000);
  if (random.next() < 0.2)
    return {
      ...undisturbed,
      ...{ kind: 'kill', role: 'look', thread, step: null, moment: 'list', side, forMs },
    };
  const moment = random.pick<MomentName>(moments);
  const step = atTheEnd.includes(moment) ? stepsOfThread : random.between(0, stepsOfThread);
  const nth = moment === 'line' ? random.between(1, step < stepsOfThread ? 4 : 2) : 1;
  return { ...undisturbed, ...{ kind: 'kill', role: 'work', thread, step, moment, nth, side, forMs } };
}

/** One that is about to write, or that has just seen that its comment does not stand there. */
function drawZombie(random: SeededRandom, thread: number): Harm {
  const forMs = random.between(0, 6_000);
  const base = { ...undisturbed, kind: 'zombie', role: 'work', thread, forMs } as const;
  return random.next() < 0.7
    ? {
        ...base,
        step: random.between(0, stepsOfThread),
        moment: 'line',
        nth: random.between(1, 3),
        side: 'before',
      }
    : { ...base, step: stepsOfThread, moment: 'comments', side: 'after' };
}

interface PartitionOptions {
  readonly thread: number;
  readonly hasLinks: boolean;
  readonly number: number;
}

function drawPartition(random: SeededRandom, { thread, hasLinks, number }: PartitionOptions): Harm {
  const how = random.pick<Cut>(
    hasLinks ? ['refuses', 'hangs', 'unplugged', 'unplugged'] : ['refuses', 'hangs'],
  );
  const forMs = random.between(3_000, 18_000);
  const base = { kind: 'partition', thread, how, forMs, nth: 1, side: 'before' } as const;
  if (number % 3 === 0) return { ...base, role: 'look', ways, step: null, moment: 'list' };
  const way: Way = number % 3 === 1 ? 'database' : 'forge';
  const step = random.between(0, stepsOfThread);
  return { ...base, role: 'work', ways: [way], step, moment: random.pick<MomentName>(['question', 'line']) };
}

function shuffle<Item>(random: SeededRandom, items: readonly Item[]): readonly Item[] {
  return items
    .map((item) => ({ item, at: random.next() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ item }) => item);
}

/** What is cut off from what. */
export function namePartition({ role, ways: cut }: Harm): string {
  return role === 'look' ? 'looker from all' : `worker from ${cut.join(' and ')}`;
}

export function describeHarm(harm: Harm): string {
  const { kind, role, thread, step, moment, nth, side, how, forMs } = harm;
  const who = role === 'look' ? 'the looker' : 'the worker';
  const what = kind === 'partition' ? `${namePartition(harm)} (${how})` : `${kind} of ${who}`;
  const when = step === null ? 'from its beginning' : `after ${step} results`;
  return `${what} at thread ${thread} ${when}, ${side} ${moment} ${nth}, for ${forMs} ms`;
}
