import type { KeptState } from './preparation-state.ts';

/** A moment at which the run of a `PreparationStory` is held. */
export interface PreparationMoment {
  /** What is seen of it. */
  readonly held: RegExp;
  /** How far the run's state has come then, which is all that a kill leaves. */
  readonly atHold: string;
  /** How far it comes when it ends what it has begun, as it does for a pause. */
  readonly atPause: string | RegExp;
}

const found = 'collected apples dates figs grapes kiwis limes nuts pears plums total';
const oneAssumed = `assumed rounding, ${found}, failed currency login`;
const bothAssumed = `assumed currency rounding, ${found}, failed login`;

export const preparationMoments = {
  understanding: {
    held: /^question understanding$/,
    atHold: 'understanding',
    atPause: 'collection_planning',
  },
  planning: { held: /^question needs$/, atHold: 'collection_planning', atPause: 'collection' },
  beforeFirstItem: {
    held: /^notice Collecting information$/,
    atHold: 'collection',
    atPause: 'collection',
  },
  /** Four items of thirteen have ended, up to eight are at it, and one waits for its turn. */
  toolCalls: {
    held: /^search /,
    atHold: 'collection, collected total, failed currency login rounding',
    atPause: /^collection, collected apples ((?!grapes).)*total, failed currency login rounding$/,
  },
  firstAssumptionTold: {
    held: /^notice Information assumed$/,
    atHold: `assumption, ${oneAssumed}; A1 rounding`,
    atPause: `assumption, ${oneAssumed}; A1 rounding`,
  },
  secondAssumption: {
    held: /^question assumption currency$/,
    atHold: `assumption, ${oneAssumed}; A1 rounding`,
    atPause: `assumption, ${bothAssumed}; A1 rounding A2 currency`,
  },
  endTold: {
    held: /^notice Information collected$/,
    atHold: `assumption, ${bothAssumed}; A1 rounding A2 currency`,
    atPause: `complete, ${bothAssumed}; A1 rounding A2 currency`,
  },
  firstStep: {
    held: /^step$/,
    atHold: `complete, ${bothAssumed}; A1 rounding A2 currency`,
    atPause: `complete, ${bothAssumed}; A1 rounding A2 currency`,
  },
} as const satisfies Record<string, PreparationMoment>;

/** How far a run has come with getting ready. */
export function describeState(state: KeptState): string {
  const byStatus = Map.groupBy(state.collection_results, ({ status }) => status);
  const results = [...byStatus].map(([status, of]) => {
    const ids = of.map(({ info_id: id }) => id);
    return `${status} ${ids.sort().join(' ')}`;
  });
  const assumptions = state.assumptions.map(({ label, info_id: id }) => `${label} ${id}`);
  const stand = [state.current_subphase, ...results.sort()].join(', ');
  return assumptions.length === 0 ? stand : `${stand}; ${assumptions.join(' ')}`;
}
