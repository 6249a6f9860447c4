import type { TrialVerdict } from '@agent/simulators/trials';
import { formatMoney } from '../../src/spending/format-money.ts';
import type { LimitedScope } from './draw-household.ts';
import { type AccountSpending, type HouseholdLeft, playHousehold, titleOf } from './play-household.ts';

/** Plays a household and judges it. */
export async function judgeHousehold(...given: Parameters<typeof playHousehold>): Promise<TrialVerdict> {
  const left = await playHousehold(...given);
  const { household, billed, ends, waited, killed, log } = left;
  const kept = ends.map((bodies, index) => `--- ${titleOf(index)}\n${bodies.join('\n')}`).join('\n');
  return {
    told: `${household.runs.length} runs in ${household.place}, ${killed} kills, ${billed.length} calls`,
    findings: findOverspent(left),
    counts: {
      runs: household.runs.length,
      'runs at a limit': waited + ends.flat().filter((body) => atLimit.test(body)).length,
      kills: killed,
      'calls billed': billed.length,
      'calls whose answer was lost': billed.filter(({ isLost }) => isLost).length,
    },
    trace: [JSON.stringify({ billed, accounts: left.accounts }, null, 1), kept, log].join('\n\n'),
  };
}

const atLimit =
  /ended at its limit of (0\.\d+ USD) (for this run|for this issue|for the user|for this repository|per day)/u;
const scopeOf: Readonly<Record<string, LimitedScope>> = {
  ...{ 'for this run': 'run', 'for this issue': 'thread', 'for the user': 'person' },
  ...{ 'for this repository': 'repository', 'per day': 'day' },
};

/** Finds what does not hold of the money of a household, by what its vendor billed. */
function findOverspent(left: HouseholdLeft): readonly string[] {
  const { billed, ends } = left;
  return [
    ...billed.flatMap(({ title }) => (title === 'nobody' ? ['a call is of no run'] : [])),
    ...listPassed(left),
    ...left.accounts.flatMap((account) => listMiscounted(account, left)),
    ...ends.flatMap((bodies, index) => listUntold({ bodies, index }, left)),
  ];
}

/** Limits that were passed by more than one call, whatever is kept of it. */
function listPassed({ household: { runs, limits }, billed, billedWithin }: HouseholdLeft): readonly string[] {
  const dearest = Math.max(0, ...billed.map(({ micros }) => micros));
  const judge = (
    name: string,
    { bill, scopes }: { readonly bill: number; readonly scopes: readonly LimitedScope[] },
  ) =>
    scopes.flatMap((scope) => {
      const limit = toMicros(limits[scope]);
      return bill <= limit + dearest ? [] : [`${name} was billed ${bill} of ${limit} for the ${scope}`];
    });
  const all = sumUp(billedWithin, () => true);
  return [
    ...judge('everything', { bill: all, scopes: ['person', 'repository', 'day'] }),
    ...runs.flatMap((_, index) => {
      const bill = sumUp(billed, (title) => title === titleOf(index));
      return judge(titleOf(index), { bill, scopes: ['run', 'thread'] });
    }),
  ];
}

function sumUp(billed: HouseholdLeft['billed'], isOwn: (title: string) => boolean): number {
  return billed.reduce((sum, { title, micros }) => sum + (isOwn(title) ? micros : 0), 0);
}

/** What an account says, against what its calls were billed. */
function listMiscounted(account: AccountSpending, left: HouseholdLeft): readonly string[] {
  const { name, spentMicros: spent, presumedMicros: presumed, reservedMicros: reserved } = account;
  const { bill, most } = toBill(account, left);
  const isCertain = left.killed === 0 && left.billed.every(({ isLost }) => !isLost);
  return [
    ...(spent - presumed <= most && bill <= spent
      ? []
      : [`${name} was billed ${bill}, and says ${spent} with ${presumed} presumed`]),
    ...(!isCertain || presumed === 0 ? [] : [`${name} presumes ${presumed} of nothing`]),
    ...(reserved === 0 ? [] : [`${name} keeps ${reserved} reserved`]),
  ];
}

const toMicros = (limit: number | null): number =>
  limit === null ? Number.POSITIVE_INFINITY : Math.round(limit * 1_000_000);

/** Bill of an account; which run of several asks for a sign of life does not show, so that `most` has all of those. */
function toBill(
  { name }: AccountSpending,
  { billed, ends }: Pick<HouseholdLeft, 'billed' | 'ends'>,
): { readonly bill: number; readonly most: number } {
  const index = name.startsWith('run:')
    ? ends.findIndex((bodies) => bodies.some((body) => body.includes(`${name}:final`)))
    : name.startsWith('thread:')
      ? Number(/(\d+)$/u.exec(name)?.[1]) - 1
      : null;
  const isOwn = (title: string) => index === null || title === titleOf(index);
  return { bill: sumUp(billed, isOwn), most: sumUp(billed, (title) => isOwn(title) || title === 'probe') };
}

interface Ended {
  readonly bodies: readonly string[];
  readonly index: number;
}

/** What the one last comment of a run does not say of its end, and of its cost. */
function listUntold(
  { bodies, index }: Ended,
  { accounts, household, billed }: HouseholdLeft,
): readonly string[] {
  const name = titleOf(index);
  const [body] = bodies;
  if (body === undefined || bodies.length > 1) return [`${name} has ${bodies.length} reports`];
  const uuid = /run:([0-9a-f-]{36}):final/u.exec(body)?.[1];
  const account = accounts.find((one) => one.name === `run:${uuid}`);
  const spent = account?.spentMicros ?? 0;
  const cost = formatMoney(spent, 'USD');
  const [, amount, words = ''] = atLimit.exec(body) ?? [];
  const scope = scopeOf[words];
  const limit = scope === undefined ? null : household.limits[scope];
  const reached = accounts.some(
    (one) => one.name.startsWith(`${scope}:`) && one.spentMicros >= toMicros(limit),
  );
  return [
    ...(/Counted\.|process crashed|Task failed/u.test(body) || amount !== undefined
      ? []
      : [`${name} says nothing of its end`]),
    ...(account !== undefined || sumUp(billed, (title) => title === name) === 0
      ? []
      : [`nothing is kept of what ${name} cost`]),
    ...(amount === undefined || (amount === formatMoney(toMicros(limit), 'USD') && reached)
      ? []
      : [`${name} names a limit that was not reached: ${amount} ${words}`]),
    ...(spent === 0 || body.includes(`Cost: ${cost}`) ? [] : [`${name} cost ${cost}, and does not say so`]),
    ...(account === undefined ||
    account.presumedMicros === 0 ||
    body.includes(formatMoney(account.presumedMicros, 'USD'))
      ? []
      : [`${name} says nothing of what is presumed`]),
  ];
}
