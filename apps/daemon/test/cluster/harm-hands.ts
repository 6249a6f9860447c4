import { setTimeout as delay } from 'node:timers/promises';
import { isWrite } from '../kill/faults/route.ts';
import { until } from '../support/until.ts';
import type { Cluster, RunRow } from './cluster.ts';
import type { ClusterProcess } from './cluster-process.ts';
import { type Harm, namePartition } from './harm.ts';
import { type HarmLog, note } from './harm-log.ts';
import { awaitTakeover } from './takeovers.ts';
import type { Sight } from './watcher.ts';

/** A harm whose moment has come. */
export interface Deed {
  readonly harm: Harm;
  readonly target: ClusterProcess;
  /** What it was just doing; null where its thread ended before. */
  readonly sight: Sight | null;
}

/** What is being done: whether that which passes is passed on, and the end of the harm. */
export interface Doing {
  readonly passes: Promise<boolean>;
  readonly over: Promise<void>;
}

const lookMs = 200;
/** Many times what a start takes on a busy machine. */
const longestStartMs = 60_000;
/** Many times what a process takes that woke to find that its runs are another's. */
const longestWakeMs = 15_000;

/** Does harm to a process, and measures what follows. */
export function carryOut(cluster: Cluster, deed: Deed, log: HarmLog): Doing {
  const { kind } = deed.harm;
  if (kind === 'kill') return kill(cluster, deed, log);
  return kind === 'zombie' ? makeZombie(cluster, deed, log) : cutOff(deed, log);
}

function kill(cluster: Cluster, { harm, target }: Deed, log: HarmLog): Doing {
  log.kills[harm.role] += 1;
  const death = listRunsOf(cluster, target).then(async (runs) => {
    const at = performance.now();
    await target.kill();
    note(log, `killed ${target.name}, with ${runs.length} runs`);
    return { runs, at };
  });
  const over = death.then(async ({ runs, at }) => {
    const started = delay(harm.forMs).then(() => {
      target.start();
      note(log, `started ${target.name}`);
      return untilReady(target);
    });
    const took = await awaitTakeover(cluster, { runs, at, waits: log.waits });
    log.takeovers.push(...took.filter((ms) => ms !== null));
    const late = runs.filter((_, index) => took[index] === null).map(({ uuid }) => uuid);
    if (late.length > 0)
      log.broken.push(
        `runs of ${target.name} were not taken over within 30 s of its death: ${late.join(', ')}`,
      );
    await started;
  });
  return { passes: death.then(() => false), over };
}

/** Freezes it until others have its runs; then what it was doing goes on. */
function makeZombie(cluster: Cluster, { harm, target, sight }: Deed, log: HarmLog): Doing {
  const life = target.lives();
  const sleep = listRunsOf(cluster, target).then(async (runs) => {
    const at = performance.now();
    target.freeze();
    note(log, `froze ${target.name}, with ${runs.length} runs`);
    const took = await awaitTakeover(cluster, { runs, at, waits: [] });
    log.zombieTakeovers.push(...took.filter((ms) => ms !== null));
    if (took.includes(null))
      log.broken.push(`runs of ${target.name} were not taken over within 30 s of its freeze`);
    if (took.some((ms) => ms !== null)) log.zombies += 1;
    else log.idleFreezes += 1;
    await delay(harm.forMs);
    target.wake();
    note(log, `woke ${target.name}`);
    return runs.filter((_, index) => took[index] !== null).map(({ uuid }) => uuid);
  });
  const over = sleep.then(async (taken) => {
    const wokeAt = Date.now();
    for (let left = longestWakeMs; left > 0 && target.isAlive() && target.lives() === life; left -= lookMs)
      await delay(lookMs);
    const late = [
      ...findLateComments(cluster, { name: target.name, taken, from: wokeAt, to: Date.now() }),
      ...(await findLateLine(cluster, sight, taken)),
    ];
    log.broken.push(...late);
    if (late.length === 0 && taken.length > 0) log.refused += 1;
    await untilReady(target);
  });
  return { passes: sleep.then(() => true), over };
}

/** Until then it takes over from nobody, and counts as harmed. */
function untilReady({ name, output }: ClusterProcess): Promise<void> {
  const isReady = () => output().includes('"msg":"ready"');
  return until(`${name} is ready`, isReady, { timeoutMs: longestStartMs }).catch(() => undefined);
}

interface Wake {
  readonly name: string;
  /** Runs that are another's. */
  readonly taken: readonly string[];
  readonly from: number;
  readonly to: number;
}

function findLateComments({ watcher }: Cluster, { name, taken, from, to }: Wake): readonly string[] {
  const late = watcher.requests.filter(
    ({ by, at, route, body, ...request }) =>
      by === name &&
      at > from &&
      at <= to &&
      route === 'comment-write' &&
      isWrite({ ...request, body }) &&
      taken.some((uuid) => body.includes(`run:${uuid}:`)),
  );
  return late.map(
    ({ method, at, body }) =>
      `a zombie wrote on a thread whose run was taken over, by ${method} ${at - from} ms after it woke: ${body.slice(0, 120)}`,
  );
}

async function findLateLine(
  { query, schema }: Cluster,
  sight: Sight | null,
  taken: readonly string[],
): Promise<readonly string[]> {
  if (sight?.kind !== 'statement' || sight.check === null || !taken.includes(sight.uuid)) return [];
  const text = `SELECT line FROM ${schema}.lines WHERE uuid = '${sight.uuid}' AND position('"check":"${sight.check}"' in body) > 0`;
  const lines = await query<{ line: number }>(text);
  return lines.map(
    ({ line }) => `the late line of a zombie stands in the record of run ${sight.uuid}, as line ${line}`,
  );
}

function cutOff({ harm, target }: Deed, log: HarmLog): Doing {
  const name = `${namePartition(harm)}, ${harm.how}`;
  log.partitions[name] = (log.partitions[name] ?? 0) + 1;
  const outage = { process: target.name, from: Date.now(), to: Number.POSITIVE_INFINITY };
  log.outages.push(outage);
  const begun = target.cut(harm.ways, harm.how);
  const over = begun.then(async (mend) => {
    note(log, `cut off: ${target.name}, ${name}`);
    await delay(harm.forMs);
    await mend();
    note(log, `mended: ${target.name}`);
    outage.to = Date.now();
  });
  return { passes: begun.then(() => true), over };
}

/** Runs at work that this process wrote to last. */
async function listRunsOf(
  { watcher, listRuns }: Cluster,
  { name }: ClusterProcess,
): Promise<readonly RunRow[]> {
  const isOurs = ({ uuid, owner, place }: RunRow) => {
    const writer = watcher.writers.get(uuid);
    return place === 'running' && writer?.process === name && writer.owner === owner;
  };
  return (await listRuns()).filter(isOurs);
}
