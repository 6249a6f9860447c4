import { setTimeout as delay } from 'node:timers/promises';
import type { ProxyFault } from '@agent/simulators/postgres';
import type { SeededRandom } from '../kill/seeded-random.ts';
import { until } from '../support/until.ts';
import type { Cluster, RunRow } from './cluster.ts';
import type { ClusterProcess, Way } from './cluster-process.ts';

/** Something done to one process, once the model has answered so often. */
export interface Harm {
  readonly turn: number;
  readonly target: string;
  readonly kind: 'kill' | 'freeze' | 'partition';
  readonly ways: readonly Way[];
  readonly fault: ProxyFault;
  /** How long it lasts; a kill ends with a new start. */
  readonly forMs: number;
}

/** What a trial has seen of harm. */
export interface HarmLog {
  readonly kills: number;
  readonly freezes: number;
  readonly partitions: number;
  /** Milliseconds from each kill of a process with runs until others had them. */
  readonly takeovers: readonly number[];
  /** Runs that a frozen process had and others took. */
  readonly zombies: number;
  readonly broken: readonly string[];
}

/** By the promise of the guide: whoever dies is replaced within this. */
const longestTakeoverMs = 30_000;

export function drawHarm(
  random: SeededRandom,
  options: { readonly turns: number; readonly count: number },
): readonly Harm[] {
  const draw = (): Harm => {
    const kind = random.pick<Harm['kind']>([
      'kill',
      'kill',
      'kill',
      'kill',
      'freeze',
      'partition',
      'partition',
    ]);
    const isLooker = random.next() < 0.25;
    const target = isLooker ? `looker-${random.between(1, 2)}` : `worker-${random.between(1, 3)}`;
    const one: Way = random.pick(['database', 'forge']);
    return {
      ...{ kind, target, turn: random.between(1, options.turns) },
      ways: isLooker ? ['database', 'forge', 'model'] : [one],
      fault: random.pick<ProxyFault>(['refuses', 'hangs']),
      forMs: kind === 'kill' ? random.between(500, 12_000) : random.between(2_000, 15_000),
    };
  };
  return Array.from({ length: options.count }, draw).toSorted((one, other) => one.turn - other.turn);
}

export function describeHarm({ turn, target, kind, ways, fault, forMs }: Harm): string {
  const how = kind === 'partition' ? ` from ${ways.join(', ')} (${fault})` : '';
  return `at turn ${turn}: ${kind} of ${target}${how} for ${forMs} ms`;
}

/** Does it all, one after the other, and measures who takes over; ends early when nothing is left to harm. */
export async function carryOutHarm(
  cluster: Cluster,
  { harms, isOver }: { readonly harms: readonly Harm[]; readonly isOver: () => boolean },
): Promise<HarmLog> {
  const log = {
    kills: 0,
    freezes: 0,
    partitions: 0,
    zombies: 0,
    takeovers: [] as number[],
    broken: [] as string[],
  };
  for (const harm of harms) {
    await until(`turn ${harm.turn}`, () => isOver() || cluster.turns() >= harm.turn, { timeoutMs: 120_000 });
    if (isOver()) break;
    const target = cluster.processes.find(({ name }) => name === harm.target) as ClusterProcess;
    if (harm.kind === 'partition') {
      log.partitions += 1;
      target.cut(harm.ways, harm.fault);
      await delay(harm.forMs);
      target.cut(harm.ways, null);
      continue;
    }
    const runs = await listRunsOf(cluster, target);
    const at = performance.now();
    if (harm.kind === 'kill') {
      log.kills += 1;
      await target.kill();
      const started = delay(harm.forMs).then(() => target.start());
      const took = await awaitTakeover(cluster, { runs, at });
      log.takeovers.push(...took.filter((ms) => ms !== null));
      const late = took.filter((ms) => ms === null).length;
      if (late > 0)
        log.broken.push(
          `${late} of ${runs.length} runs of ${harm.target} were not taken over within 30 s of its death`,
        );
      await started;
    } else {
      log.freezes += 1;
      target.freeze();
      const isLong = harm.forMs > 8_000;
      if (isLong)
        log.zombies += (await awaitTakeover(cluster, { runs, at })).filter((ms) => ms !== null).length;
      else await delay(harm.forMs);
      target.wake();
    }
  }
  return log;
}

/** Runs at work of which this process has spoken last. */
async function listRunsOf(cluster: Cluster, target: ClusterProcess): Promise<readonly RunRow[]> {
  const open = (await cluster.listRuns()).filter(({ place }) => place === 'running');
  const lastSaid = (output: string, uuid: string): number => {
    const line = output.split('\n').findLast((one) => one.includes(`"run":"${uuid.slice(0, 8)}"`));
    return line === undefined ? 0 : Number(/"time":(\d+)/.exec(line)?.[1] ?? 0);
  };
  return open.filter(({ uuid }) => {
    const own = lastSaid(target.output(), uuid);
    return own > 0 && cluster.processes.every((one) => one === target || lastSaid(one.output(), uuid) <= own);
  });
}

/** Of each run, after how long it was another's; null for those that were not in time. */
function awaitTakeover(
  cluster: Cluster,
  { runs, at }: { readonly runs: readonly RunRow[]; readonly at: number },
): Promise<readonly (number | null)[]> {
  return Promise.all(
    runs.map(async ({ uuid, owner }) => {
      while (performance.now() - at < longestTakeoverMs) {
        const now = (await cluster.listRuns()).find((one) => one.uuid === uuid);
        if (now === undefined || now.owner !== owner || now.place !== 'running')
          return performance.now() - at;
        await delay(200);
      }
      return null;
    }),
  );
}
