import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { RunStorage } from '@agent/run-store';
import { createFileStorage } from '@agent/run-store/file';
import { connectPostgres, createPostgresStorage } from '@agent/run-store/postgres';
import { startGitHubSimulator } from '@agent/simulators/github';
import { findPlanted } from '@agent/simulators/trials';
import { toRecordDirectories } from '../../src/index.ts';
import type { Household } from './draw-household.ts';
import { type BilledCall, startMoneyVendor } from './money-vendor.ts';
import type { MoneyWork } from './money-worker.ts';

/** State of an account. */
export type AccountSpending = Awaited<ReturnType<ReturnType<RunStorage['openSpending']>['read']>>[number];

/** What a household leaves behind. */
export interface HouseholdLeft {
  readonly household: Household;
  readonly billed: readonly BilledCall[];
  /** Accounts as the storage has them, once nobody is at work. */
  readonly accounts: readonly AccountSpending[];
  /** Last comments of the runs, by thread. */
  readonly ends: readonly (readonly string[])[];
  /** Calls that were billed before the limits of shared budgets were lifted. */
  readonly billedWithin: readonly BilledCall[];
  /** Threads with a comment that they wait for a shared budget. */
  readonly waited: number;
  readonly killed: number;
  readonly log: string;
}

/** Processes one after the other in one place, after which something is wrong. */
const mostLives = 30;
/** Many times what a process takes on a busy machine. */
const longestLifeMs = 400_000;
const worker = fileURLToPath(new URL('money-worker.ts', import.meta.url));
const [owner, token] = ['owner', 'agent-token-of-the-money'];
const repo = `${owner}/demo`;
const labels = {
  ...{ waiting: 'agent', processing: 'agent works', completed: 'agent done' },
  ...{ failed: 'agent failed', paused: 'agent paused', stopped: 'agent stopped' },
};

/** Title of the thread of this number. */
export const titleOf = (index: number): string => `Household ${index}`;

/** What a process logs whose tasks wait for a budget. A model that is away is logged in other words: the next life asks it again. */
const holdOfMoney = / (?:warn|error) not starting tasks$/m;

/**
 * Has processes run the tasks of a household until nothing is left to do, and kills them as it says. Where runs wait for a
 * shared budget, its limit is lifted then, so that each run comes to its end.
 *
 * @param database address of a server, for a household that has one
 */
export async function playHousehold(
  household: Household,
  { database = null }: { readonly database?: string | null } = {},
): Promise<HouseholdLeft> {
  const directory = await mkdtemp(join(tmpdir(), 'money-'));
  const began = { real: Date.now(), trial: Date.parse('2026-03-01T10:00:00Z') };
  const forge = await startForge(household.runs.length);
  const alive = new Set<ChildProcess>();
  const logs: string[] = [];
  let [killed, lives] = [0, 0];
  let { limits } = household;
  const kill = async (call: number, afterMs: number): Promise<void> => {
    if (afterMs > 0) await wait(afterMs);
    const child = [...alive][call % Math.max(1, alive.size)];
    if (child?.kill('SIGKILL')) killed += 1;
  };
  const vendor = await startMoneyVendor(household, (call) => {
    for (const one of household.kills) if (one.call === call) void kill(call, one.afterMs);
  });
  const place =
    household.place === 'files'
      ? null
      : { url: database ?? '', schema: `m${randomUUID().replaceAll('-', '')}` };
  const work = (name: string): MoneyWork => ({
    ...{ limits, isPlanned: household.isPlanned, labels, began, database: place },
    ...{ directory: join(directory, name), vendor: vendor.baseUrl },
    forge: { url: forge.url, repo, token },
  });
  /** @returns true once it has ended with nothing left to do but to wait for a budget */
  const live = async (name: string): Promise<boolean> => {
    lives += 1;
    if (lives > mostLives) throw new Error(`the processes never end\n${logs.join('\n').slice(-4_000)}`);
    const { child, said } = startWorker(work(name));
    alive.add(child);
    const [code] = (await once(child, 'close', { signal: AbortSignal.timeout(longestLifeMs) })) as [
      number | null,
    ];
    alive.delete(child);
    const words = await said;
    logs.push(words, `${name} ended with ${code}`);
    return code === 0 || (code === 3 && holdOfMoney.test(words));
  };
  const liveToEnd = async (name: string): Promise<void> => {
    while (!(await live(name)));
  };
  const names = place === null ? ['one'] : ['one', 'two'];
  const allLive = async (): Promise<void> => {
    await Promise.all(names.map(liveToEnd));
    // Whoever ended first may have left it to the other, who was killed and has nothing more to begin.
    if (place !== null) await liveToEnd('one');
  };
  try {
    await allLive();
    const billedWithin = [...vendor.billed];
    const waited = forge.countWaiting();
    limits = { ...limits, person: null, repository: null, day: null };
    if (waited > 0) await allLive();
    const storage = place === null ? openFiles(join(directory, 'one')) : await openRows(place);
    const accounts = await readAccounts(storage);
    const ends = forge.listEnds();
    const log = logs.join('\n');
    return { household, billed: vendor.billed, billedWithin, waited, accounts, ends, killed, log };
  } finally {
    for (const child of alive) child.kill('SIGKILL');
    await vendor.close();
    await forge.close();
    if (place !== null) await dropRows(place);
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

function startWorker(work: MoneyWork) {
  const planted = findPlanted();
  const child = spawn(
    process.execPath,
    ['--conditions=@agent/source', ...(planted?.nodeArguments ?? []), worker, JSON.stringify(work)],
    { stdio: ['ignore', 'inherit', 'pipe'], env: { ...process.env, ...planted?.environment } },
  );
  return { child, said: text(child.stderr) };
}

async function startForge(threads: number) {
  const unlimited = { pointsPerMinute: 1e6, contentPerMinute: 1e6, contentPerHour: 1e6 };
  const simulator = await startGitHubSimulator({ secondaryLimits: unlimited });
  for (const login of [owner, 'agent']) simulator.addUser({ login });
  simulator.addToken({ token, login: 'agent' });
  const files = { 'README.md': '# Demo\n' };
  await simulator.addRepository({ owner, name: 'demo', collaborators: { agent: 'write' }, files });
  const numbers = Array.from({ length: threads }, (_, index) => {
    const issue = { title: titleOf(index), body: 'Please count.', labels: [labels.waiting], author: owner };
    return simulator.openIssue({ repo, ...issue }).number;
  });
  const listTopics = (topic: string) =>
    numbers.map((number) =>
      simulator
        .thread(repo, number)
        .comments.flatMap(({ body }) => (body.includes(`:${topic} -->`) ? [body] : [])),
    );
  return {
    url: simulator.url,
    close: simulator.close,
    listEnds: () => listTopics('final'),
    countWaiting: () => listTopics('money').filter(({ length }) => length > 0).length,
  };
}

type Rows = NonNullable<MoneyWork['database']>;

const openFiles = (directory: string): RunStorage => {
  const { contexts, paused, pauseSignalFile } = toRecordDirectories(join(directory, 'contexts'));
  return createFileStorage({ baseDirectory: contexts, pausedDirectory: paused, pauseSignalFile });
};

/** Nobody is at work any more: those who were killed count as gone at once, and not half a minute later. */
async function openRows({ url, schema }: Rows): Promise<RunStorage> {
  const database = await connectPostgres({ url });
  await database.query(`UPDATE ${schema}.members SET renewed_at = now() - interval '1 hour'`);
  return createPostgresStorage({ database, schema });
}

async function dropRows({ url, schema }: Rows): Promise<void> {
  const database = await connectPostgres({ url });
  await database.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
  await database.close();
}

/** Reads them as an owner, for whom the calls of those who died have ended. */
async function readAccounts(storage: RunStorage): Promise<readonly AccountSpending[]> {
  const member = await storage.members.acquire();
  try {
    const names = ((await storage.accounts?.list()) ?? []).map(({ name }) => name);
    return await storage.openSpending({ owner: member }).read(names);
  } finally {
    await member.release();
    await storage.close();
  }
}
