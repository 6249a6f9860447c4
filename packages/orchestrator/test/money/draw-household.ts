import { createSeededRandom } from '@agent/simulators/trials';

/** Runs of one household, where none is left out at the end. */
export const runsInHousehold = 10;

const limitedScopes = ['run', 'thread', 'person', 'repository', 'day'] as const;

/** Account that can have a limit. */
export type LimitedScope = (typeof limitedScopes)[number];

/** What a model server does with a call. `lost`: it is billed, and nobody gets the answer. */
export type Answering = 'answer' | 'refuse' | 'lost';

/** Some runs that share their money, two at a time. */
export interface Household {
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

/** Draws a household: in files for even seeds, in a database for odd ones. */
export function drawHousehold(
  seed: number,
  {
    place = seed % 2 === 0 ? 'files' : 'postgres',
    runs = runsInHousehold,
  }: { readonly place?: Household['place'] | undefined; readonly runs?: number | undefined } = {},
): Household {
  const { next: draw, between } = createSeededRandom(seed);
  const isHarmless = seed % 5 === 4;
  const drawAnswering = (): Answering => {
    const drawn = isHarmless ? 0 : draw();
    return drawn < 0.86 ? 'answer' : drawn < 0.93 ? 'refuse' : 'lost';
  };
  const limits = drawLimits(draw, { runs, scope: limitedScopes[seed % limitedScopes.length] ?? 'day' });
  const times = <One>(length: number, one: (index: number) => One) =>
    Array.from({ length }, (_, turn) => one(turn));
  return {
    ...{ place, limits },
    runs: times(runs, () => ({ steps: between(0, 4) })),
    isPlanned: draw() < 0.4,
    isFirstDown: draw() < 0.3,
    kills: isHarmless
      ? []
      : times(between(1, 3), (turn) => ({
          call: between(0, 4 + turn * 8),
          afterMs: draw() < 0.5 ? 0 : between(0, 400),
        })),
    outputs: times(23, () => between(1, mostOutput)),
    answering: times(41, drawAnswering),
    delaysMs: times(7, () => between(0, 12)),
  };
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
