import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TaskKey } from '@agent/platforms';
import { createGitHubPlatform, type GitHubPlatformOptions } from '@agent/platforms/github';
import { createDoorbell } from '@agent/platforms/sources';
import { connectPostgres, createPostgresStorage, type Database, openPglite } from '@agent/run-store/postgres';
import { startGitHubSimulator } from '@agent/simulators/github';
import { findSharedPostgres } from '@agent/simulators/postgres';
import { PGlite } from '@electric-sql/pglite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectAll, type PlatformSetup } from '../src/connection/connect-platforms.ts';
import { silentLogger } from '../src/host/ports.ts';

const repository = 'octo/hello';
const key: TaskKey = { type: 'github_issue', owner: 'octo', repo: 'hello', number: 1 };

/** GitHub with one thread, and what the token has used of its limit. */
async function startWorld() {
  const gitHub = await startGitHubSimulator();
  onTestFinished(() => gitHub.close());
  for (const login of ['octo', 'agent', 'alice']) gitHub.addUser({ login });
  gitHub.addToken({ token: 'token-of-agent', login: 'agent' });
  await gitHub.addRepository({ owner: 'octo', name: 'hello', collaborators: { agent: 'write' } });
  gitHub.openIssue({ repo: repository, author: 'alice', title: 'Add', body: 'Please.' });
  const options = { token: 'token-of-agent', baseUrl: gitHub.url, repositories: [repository] };
  const readUsed = async () => {
    const headers = { authorization: 'Bearer token-of-agent', 'user-agent': 'test' };
    const answer = await (await fetch(`${gitHub.url}/rate_limit`, { headers })).json();
    return (answer as { resources: { core: { used: number } } }).resources.core.used;
  };
  const say = (body: string) => gitHub.comment({ repo: repository, number: 1, author: 'alice', body });
  return { gitHub, options, readUsed, say };
}

/** Connects as a process does that shares this database, or none. */
async function connect(setup: PlatformSetup, place: { database: Database; schema: string } | null = null) {
  const storage = place && createPostgresStorage(place);
  const directory = join(tmpdir(), `never-made-${randomUUID()}`);
  const directories = {
    ...{ contexts: directory, paused: directory, workspaces: directory },
    pauseSignalFile: join(directory, 'pause'),
  };
  const connectPlatforms = connectAll([setup], {
    ...{ directories, secrets: [], environment: {}, logger: silentLogger },
  });
  const [connected] = await connectPlatforms({
    ...{ observe: () => {}, doorbell: createDoorbell(), signal: new AbortController().signal },
    shared: storage?.sharing ?? null,
    owner: { requireOwned: () => undefined },
  });
  if (connected === undefined) throw new Error('the platform is not connected');
  return connected;
}

const openGitHub =
  (options: GitHubPlatformOptions): PlatformSetup['platform'] =>
  (connection) =>
    createGitHubPlatform({ ...options, ...connection });

let pglite: PGlite | null = null;
/** Gives a database all the time that it takes: after half a second of it, each process asks the platform for itself. */
const waitForEver = (_: number, signal?: AbortSignal) =>
  new Promise<void>((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));

const databases = [
  ['a real server', async () => connectPostgres({ url: await findSharedPostgres() })],
  [
    'PGlite',
    async () => {
      pglite ??= new PGlite();
      await pglite.waitReady;
      return openPglite(pglite);
    },
  ],
] as const;

describe.each(databases)('processes that share %s', (_, open) => {
  it('read a thread and its changes for the price of one [NX-168]', { tags: ['full'] }, async () => {
    const world = await startWorld();
    const place = { database: await open(), schema: `answers_${randomUUID().replaceAll('-', '')}` };
    onTestFinished(async () => {
      await place.database.query(`DROP SCHEMA ${place.schema} CASCADE`);
      await place.database.close();
    });
    const spend = async (given: typeof place | null) => {
      const setup = { platform: openGitHub({ ...world.options, sleep: waitForEver }) };
      const processes = [
        await connect(setup, given),
        await connect(setup, given),
        await connect(setup, given),
      ];
      const threads = processes.map(({ platform }) => platform.openThread(key));
      const before = await world.readUsed();
      const heard: (string | undefined)[] = [];
      for (const text of ['one', 'two', 'three', 'four', 'five']) {
        world.say(text);
        for (const { comments } of threads) {
          heard.push((await comments.listComments({ since: null })).comments.at(-1)?.body);
          expect(await comments.listComments({ since: null })).toMatchObject({ unchanged: true });
        }
      }
      expect(heard).toEqual(['one', 'two', 'three', 'four', 'five'].flatMap((text) => [text, text, text]));
      return (await world.readUsed()) - before;
    };
    expect(await spend(null)).toBe(15);
    expect(await spend(place)).toBe(5);
  });
});

describe('platforms that a program gives', () => {
  it('are opened so that each of their requests counts, from the first', async () => {
    const { gitHub, options } = await startWorld();
    gitHub.setRateLimit({ limit: 5_000, remaining: 1 });
    const { runHolds } = await connect({ platform: openGitHub(options) });
    expect(runHolds(0)).not.toEqual([]);
  });

  it('count the requests of their threads where they are open already, and tell whoever else listens', async () => {
    const { gitHub, options } = await startWorld();
    const { platform, runHolds } = await connect({ platform: createGitHubPlatform(options) });
    const routes: string[] = [];
    expect(runHolds(0)).toEqual([]);
    gitHub.setRateLimit({ limit: 5_000, remaining: 1 });
    await platform.openThread(key, { onRequest: ({ route }) => routes.push(route) }).reader.readThread();
    expect(routes).toEqual(['GET /repos/{owner}/{repo}/issues/{issue_number}']);
    expect(runHolds(0)).not.toEqual([]);
  });
});
