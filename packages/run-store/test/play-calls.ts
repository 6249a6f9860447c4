import { randomUUID } from 'node:crypto';
import type { SpendingLedger } from '../src/spending/spending-ledger.ts';
import type { RunStorage } from '../src/storage.ts';

/** Step of a trial: one of two runs begins its next call or ends the one under way, or the process of a run is killed. */
export interface TrialStep {
  readonly run: 0 | 1;
  readonly act: 'go on' | 'kill';
  /** Cost of the call that begins with this step. */
  readonly micros: number;
}

/** Limits of a trial in millionths, and its steps. */
export interface CallTrial {
  readonly run: number;
  readonly day: number;
  readonly steps: readonly TrialStep[];
}

interface Call {
  readonly id: string;
  readonly micros: number;
}

interface Host {
  readonly storage: RunStorage;
  readonly owner: Awaited<ReturnType<RunStorage['members']['acquire']>>;
  readonly ledger: SpendingLedger;
}

/** The most that a call of a trial can cost, which is reserved for it. */
export const mostMicros = 40;

/**
 * Plays two runs at a time, whose provider bills each call as soon as it begins. Where processes can share the place, each run has a
 * process of its own; else both die together.
 *
 * @param spoil wraps the ledger of each process: a planted fault
 * @returns what does not hold of the money in the end
 */
export async function playCalls(
  trial: CallTrial,
  {
    open,
    spoil = (ledger) => ledger,
  }: {
    readonly open: () => Promise<RunStorage>;
    readonly spoil?: (ledger: SpendingLedger) => SpendingLedger;
  },
): Promise<readonly string[]> {
  const start = async (): Promise<Host> => {
    const storage = await open();
    const owner = await storage.members.acquire();
    return { storage, owner, ledger: spoil(storage.openSpending({ owner })) };
  };
  const first = await start();
  const isShared = first.storage.sharing !== null;
  const hosts: Host[] = [first, isShared ? await start() : first];
  const underWay: (Call | null)[] = [null, null];
  const billed = [0, 0];
  const names = ['run', 'run', 'day'].map((scope) => `${scope}:${randomUUID()}`);
  let lost = 0;
  const begin = async (run: 0 | 1, micros: number) => {
    const id = randomUUID();
    const accounts = [
      { name: names[run] ?? '', limitMicros: trial.run },
      { name: names[2] ?? '', limitMicros: trial.day },
    ];
    const { kind } = await (hosts[run] ?? first).ledger.reserve({ id, micros: mostMicros, accounts });
    if (kind !== 'granted') return;
    billed[run] = (billed[run] ?? 0) + micros;
    underWay[run] = { id, micros };
  };
  const end = async (run: 0 | 1) => {
    const call = underWay[run];
    if (call) await hosts[run]?.ledger.settle(call.id, { micros: call.micros, isPresumed: false });
    underWay[run] = null;
  };
  const kill = async (run: 0 | 1) => {
    const dying = isShared ? [run] : [0, 1];
    await hosts[run]?.owner.release();
    const next = await start();
    for (const one of dying) {
      lost += underWay[one] ? 1 : 0;
      underWay[one] = null;
      hosts[one] = next;
    }
  };
  for (const { run, act, micros } of trial.steps)
    await (act === 'kill' ? kill(run) : underWay[run] ? end(run) : begin(run, micros));
  for (const run of [0, 1] as const) await end(run);
  for (const { owner } of new Set(hosts)) await owner.release();
  const last = await start();
  const accounts = await last.ledger.read(names);
  await last.owner.release();
  const limits = [trial.run, trial.run, trial.day];
  const bills = [...billed, billed.reduce((sum, one) => sum + one, 0)];
  return accounts.flatMap(({ name, spentMicros: spent, presumedMicros: presumed, reservedMicros }, index) => {
    const [bill = 0, limit = 0] = [bills[index], limits[index]];
    return [
      ...(bill < limit + mostMicros ? [] : [`${name} was billed ${bill} of ${limit}`]),
      ...(spent - presumed <= bill && bill <= spent ? [] : [`${name} was billed ${bill}, and says ${spent}`]),
      ...(lost > 0 || spent === bill ? [] : [`${name} was billed ${bill}, and counts ${spent}`]),
      ...(reservedMicros === 0 ? [] : [`${name} keeps ${reservedMicros} reserved`]),
      ...(presumed <= lost * mostMicros ? [] : [`${name} presumes ${presumed} of ${lost} calls`]),
    ];
  });
}
