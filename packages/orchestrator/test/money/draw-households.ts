import { createDraw } from '../follow-up/trial/draw-trials.ts';

/** Runs of one household, where none is left out at the end. */
export const runsInHousehold = 10;

const limitedScopes = ['run', 'thread', 'person', 'repository', 'day'] as const;

/** Account that can have a limit. */
export type LimitedScope = (typeof limitedScopes)[number];

/** What a model server does with a call. `lost`: it is billed, and nobody gets the answer. */
export type Answering = 'answer' | 'refuse' | 'lost';

/** Some runs that share their money, two at a time. */
export interface Household {
  readonly name: string;
  /** Files have one process, in which two runs are at work; a database has two processes with one each. */
  readonly place: 'files' | 'postgres';
  /** In the currency; null for none. */
  readonly limits: Readonly<Record<LimitedScope, number | null>>;
  /** What each run does: steps of its work, and by a plan or not. */
  readonly runs: readonly { readonly steps: number }[];
  readonly isPlanned: boolean;
  /** True where the first of the models for work refuses whoever asks it, so that the second is paid. */
  readonly isFirstDown: boolean;
  /** Billed calls after which a process is killed, and milliseconds until then: 0 in the middle of one. */
  readonly kills: readonly { readonly call: number; readonly afterMs: number }[];
  /** Output tokens of a call, and what becomes of it, by its number. */
  readonly outputs: readonly number[];
  readonly answering: readonly Answering[];
  readonly delaysMs: readonly number[];
}

/** Models by name, with the price of a million output tokens; what goes in costs a fiftieth of it. */
export const prices: Readonly<Record<string, number>> = { planner: 3, first: 2, second: 1, clerk: 0.5 };

/** Tokens of the longest answer. */
export const mostOutput = 400;

/** Draws households: in files and in a database by turns, the same for the same seed. */
export function drawHouseholds({
  count,
  seed,
  place,
  runs = runsInHousehold,
}: {
  readonly count: number;
  readonly seed: number;
  /** Default: by turns. */
  readonly place?: Household['place'] | undefined;
  readonly runs?: number | undefined;
}): readonly Household[] {
  return Array.from({ length: count }, (_, index) => {
    const draw = createDraw(seed * 10_007 + index);
    const upTo = (most: number) => Math.floor(draw() * (most + 1));
    const chosen = place ?? (index % 2 === 0 ? 'files' : 'postgres');
    const isHarmless = index % 5 === 4;
    const drawAnswering = (): Answering => {
      const drawn = isHarmless ? 0 : draw();
      return drawn < 0.86 ? 'answer' : drawn < 0.93 ? 'refuse' : 'lost';
    };
    const limits = drawLimits(draw, { runs, scope: limitedScopes[index % limitedScopes.length] ?? 'day' });
    const times = <One>(length: number, one: (index: number) => One) =>
      Array.from({ length }, (_, turn) => one(turn));
    return {
      name: `${index} in ${chosen}`,
      place: chosen,
      limits,
      runs: times(runs, () => ({ steps: upTo(4) })),
      isPlanned: draw() < 0.4,
      isFirstDown: draw() < 0.3,
      kills: isHarmless
        ? []
        : times(1 + upTo(2), (turn) => ({ call: upTo(4 + turn * 8), afterMs: draw() < 0.5 ? 0 : upTo(400) })),
      outputs: times(23, () => 1 + upTo(mostOutput - 1)),
      answering: times(41, drawAnswering),
      delaysMs: times(7, () => upTo(12)),
    };
  });
}

/** One limit at least, that of `scope`; a run of a household costs some thousandths of the currency. */
function drawLimits(
  draw: () => number,
  { runs, scope }: { readonly runs: number; readonly scope: LimitedScope },
): Household['limits'] {
  const entries = limitedScopes.map((one) => {
    const isShared = one !== 'run' && one !== 'thread';
    const most = isShared ? runs * 0.003 : 0.005;
    const isSet = one === scope || draw() < 0.25;
    const amount = Math.ceil((0.05 + draw()) * most * 10_000) / 10_000;
    return [one, isSet ? amount : null] as const;
  });
  return Object.fromEntries(entries) as Household['limits'];
}
