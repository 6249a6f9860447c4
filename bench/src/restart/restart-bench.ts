import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { Bench } from '../report.ts';
import { createPollTimer } from '../start/time-to-poll.ts';
import { repository, type World } from '../world.ts';
import { fillStore, type KeptRunCounts, openStore } from './fill-store.ts';
import { type RestartTimes, toRestartReport } from './restart-report.ts';

const rounds = 11;
/** The compile cache is written when a process ends. */
const warmUpRounds = 2;
const kept: KeptRunCounts = { paused: 100, completed: 1_000 };

/** How long the built daemon takes to look for work again where earlier work lies, beside one without any. */
export const restartBench: Bench = {
  name: 'restart',
  run: async ({ onProgress }) => {
    onProgress(`leaving ${kept.paused} paused and ${kept.completed} completed runs behind`);
    const [filled, empty] = [await createPollTimer(), await createPollTimer()];
    const caches = await mkdtemp(join(tmpdir(), 'restart-bench-'));
    try {
      const baseDirectory = join(filled.world.directory, 'contexts');
      openThreads(filled.world.gitHub, kept.paused + kept.completed);
      await fillStore({ ...kept, baseDirectory, host: new URL(filled.world.gitHub.url).host });
      const [withRuns, without] = [join(caches, 'filled'), join(caches, 'empty')];
      await Promise.all([withRuns, without].map((directory) => mkdir(directory)));
      const runRound = async () => ({
        empty: await empty.timeToPoll(without),
        filled: await filled.timeToPoll(withRuns),
        store: await timeListing(baseDirectory),
      });
      for (let round = 0; round < warmUpRounds; round += 1) await runRound();
      onProgress(`${rounds} rounds`);
      const times: RestartTimes[] = [];
      for (let round = 0; round < rounds; round += 1) times.push(await runRound());
      return toRestartReport(times, kept);
    } finally {
      await Promise.all([filled.world.close(), empty.world.close()]);
      await rm(caches, { recursive: true, force: true });
    }
  },
};

/** The threads of the runs: those that wait are listened to. */
function openThreads(gitHub: World['gitHub'], count: number): void {
  for (let number = 1; number <= count; number += 1)
    gitHub.openIssue({ repo: repository, author: 'alice', title: `Issue ${number}`, body: 'Please.' });
}

/** What a start asks of the store, in this process. */
async function timeListing(baseDirectory: string): Promise<number> {
  const store = openStore(baseDirectory);
  const startedAt = performance.now();
  const paused = await store.listPaused();
  const unfinished = await store.listInterrupted();
  const elapsedMs = performance.now() - startedAt;
  const damaged = [...paused.damaged, ...unfinished.damaged];
  // Figures of a store that could not be read would be figures of something else.
  if (paused.runs.length === kept.paused && damaged.length === 0) return elapsedMs;
  throw new Error(`The store lists ${paused.runs.length} paused runs, and ${damaged.length} damaged ones.`);
}
