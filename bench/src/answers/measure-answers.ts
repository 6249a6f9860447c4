import { performance } from 'node:perf_hooks';
import type { RequestRecord, TaskKey } from '@agent/platforms';
import { createGitHubPlatform } from '@agent/platforms/github';
import type { SharedAnswers } from '@agent/platforms/sources';
import { connectPostgres, createPostgresStorage } from '@agent/run-store/postgres';
import { startGitHubSimulator } from '@agent/simulators/github';
import type { BenchServer } from '../cluster/bench-server.ts';

/** Costs of some processes that hear the comments of one repository and one of its threads. */
export interface AnswerCosts {
  readonly processes: number;
  readonly polls: number;
  /** Requests that GitHub took off the limit of the token. */
  readonly counted: number;
  readonly statements: number;
  /** Milliseconds that each question to the database took, and each answer that was kept there. */
  readonly times: { readonly read: readonly number[]; readonly keep: readonly number[] };
}

interface AnswersOptions {
  readonly processes: number;
  /** False where each process knows its own ETags alone. */
  readonly isShared: boolean;
  /** Polls of each process, ten seconds apart; at every sixth there is a new comment. */
  readonly polls: number;
}

const token = 'bench-token';
const key: TaskKey = { type: 'github_issue', owner: 'acme', repo: 'shop', number: 1 };

/** Lets the processes poll in turn. Each has connections of its own to GitHub and to the database. */
export async function measureAnswers(
  server: BenchServer,
  { processes: count, isShared, polls }: AnswersOptions,
): Promise<AnswerCosts> {
  let time = Date.parse('2026-01-02T03:04:05Z');
  const gitHub = await startGitHub(() => time);
  const schema = server.nameSchema();
  const times = { read: [] as number[], keep: [] as number[] };
  let counted = 0;
  const onRequest = (request: RequestRecord) => {
    if (request.counted) counted += 1;
  };
  const ends: (() => Promise<void>)[] = [];
  const start = async () => {
    const storage = createPostgresStorage({ database: await connectPostgres({ url: server.url }), schema });
    ends.push(storage.close);
    const shared = isShared ? (storage.sharing?.answers ?? null) : null;
    const answers = shared && toTimed(shared, times);
    const platform = createGitHubPlatform({
      ...{ token, baseUrl: gitHub.url, repositories: ['acme/shop'], onRequest, answers, now: () => time },
    });
    const { comments } = platform.openThread(key);
    const changes = platform.openChanges?.(key);
    return async () => {
      await changes?.listChanges();
      await comments.listComments({ since: null });
    };
  };
  const processes = await Promise.all(Array.from({ length: count }, start));
  // The tables are made with the first statement.
  for (const poll of processes) await poll();
  const statements = await server.countStatements();
  counted = 0;
  for (let round = 0; round < polls; round += 1) {
    time += 10_000;
    if (round % 6 === 0)
      gitHub.comment({
        repo: 'acme/shop',
        number: 1,
        author: 'alice',
        body: `Comment ${round}. `.repeat(40),
      });
    for (const poll of processes) await poll();
  }
  const used = (await server.countStatements()) - statements;
  await Promise.all([gitHub.close(), ...ends.map((end) => end())]);
  return { processes: count, polls: 2 * polls * count, counted, statements: used, times };
}

async function startGitHub(now: () => number) {
  const gitHub = await startGitHubSimulator({ now, secondaryLimits: { pointsPerMinute: 1e9 } });
  for (const login of ['acme', 'alice', 'robot']) gitHub.addUser({ login });
  gitHub.addToken({ token, login: 'robot' });
  await gitHub.addRepository({ owner: 'acme', name: 'shop', collaborators: { robot: 'write' } });
  gitHub.openIssue({ repo: 'acme/shop', author: 'alice', title: 'Add', body: 'Please.' });
  gitHub.comment({ repo: 'acme/shop', number: 1, author: 'alice', body: 'First.' });
  return gitHub;
}

function toTimed({ read, keep }: SharedAnswers, times: Record<'read' | 'keep', number[]>): SharedAnswers {
  const timed = async <Result>(into: number[], work: Promise<Result>): Promise<Result> => {
    const begun = performance.now();
    const result = await work;
    into.push(performance.now() - begun);
    return result;
  };
  return {
    read: (...question) => timed(times.read, read(...question)),
    keep: (...answer) => timed(times.keep, keep(...answer)),
  };
}
