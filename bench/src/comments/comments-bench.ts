import type { Bench } from '../report.ts';
import type { CommentsFigures, LengthFigures, RecallFigures } from './comments-figures.ts';
import { toCommentsReport } from './comments-report.ts';
import { forkForge } from './fork-forge.ts';
import { measureOwnWrites } from './measure-own-writes.ts';
import { measureQuiet, type QuietWatcher } from './measure-quiet.ts';
import { measureRecall } from './measure-recall.ts';
import { measureTask, type TaskCosts } from './measure-task.ts';
import type { ThreadForge } from './thread-forge.ts';
import { createOwnWatcher, createSeedWatcher, type WatchedThread, type Watcher } from './watchers.ts';

const checks = 100;
const rounds = 7;
const recallLengths = [30, 100, 1_000, 10_000] as const;
/** Lengths of threads, and how many checks of the seed's way are made on each: at 10,000 all would take minutes. */
const taskLengths = [
  { comments: 10, seedChecks: 100, quietSeedChecks: 20 },
  { comments: 100, seedChecks: 100, quietSeedChecks: 20 },
  { comments: 1_000, seedChecks: 100, quietSeedChecks: 3 },
  { comments: 10_000, seedChecks: 10, quietSeedChecks: 1 },
] as const;
const quietOwnChecks = 50;

interface Stage {
  readonly forge: ThreadForge;
  readonly clock: { time: number };
  readonly onProgress: (message: string) => void;
}

/** What it costs to hear a thread, and how much of it is heard, beside the seed's way: everything at every check. */
export const commentsBench: Bench = {
  name: 'comments',
  run: async ({ onProgress }) => {
    const forge = forkForge();
    try {
      const stage = { forge, clock: { time: Date.parse('2026-03-01T00:00:00Z') }, onProgress };
      return toCommentsReport(await measure(stage), { checks, rounds });
    } finally {
      await forge.close();
    }
  },
};

async function measure(stage: Stage): Promise<CommentsFigures> {
  await warmUp(stage);
  const lengths = await measureLengths(stage);
  const recalls: RecallFigures[] = [];
  for (const comments of recallLengths) {
    stage.onProgress(`recall on ${comments} comments`);
    recalls.push({ comments, ways: await measureRecall(await openThread(stage, comments)) });
  }
  stage.onProgress('writes of our own');
  const ownWrites = await measureOwnWrites(await openThread(stage, 100));
  return { lengths, recalls, ownWrites };
}

async function warmUp(stage: Stage): Promise<void> {
  for (const { watcher, thread } of await openBoth(stage, 10))
    await measureTask(watcher, { thread, checks, made: checks });
}

/** Tasks first, then quiet checks of all lengths in interleaved rounds, by those who watched the tasks. */
async function measureLengths(stage: Stage): Promise<readonly LengthFigures[]> {
  const tasks: { readonly comments: number; readonly ours: TaskCosts; readonly seed: TaskCosts }[] = [];
  const watchers: { readonly ours: QuietWatcher[]; readonly seed: QuietWatcher[] } = { ours: [], seed: [] };
  for (const { comments, seedChecks, quietSeedChecks } of taskLengths) {
    stage.onProgress(`a task on ${comments} comments`);
    const [ours, seed] = await openBoth(stage, comments);
    tasks.push({
      comments,
      ours: await measureTask(ours.watcher, { thread: ours.thread, checks, made: checks }),
      seed: await measureTask(seed.watcher, { thread: seed.thread, checks, made: seedChecks }),
    });
    watchers.ours.push({ watcher: ours.watcher, checks: quietOwnChecks });
    watchers.seed.push({ watcher: seed.watcher, checks: quietSeedChecks });
  }
  stage.onProgress(`${rounds} rounds of quiet checks`);
  // Apart, because the garbage of one way would be collected in the time of the other.
  const quietOurs = await measureQuiet(watchers.ours, { clock: stage.clock, rounds });
  const quietSeed = await measureQuiet(watchers.seed, { clock: stage.clock, rounds });
  return tasks.map(({ comments, ours, seed }, index) => ({
    comments,
    ours: { task: ours, quiet: atPlace(quietOurs, index) },
    seed: { task: seed, quiet: atPlace(quietSeed, index) },
  }));
}

function atPlace<Item>(items: readonly Item[], index: number): Item {
  const item = items[index];
  if (item === undefined) throw new Error(`Nothing was measured at ${index}.`);
  return item;
}

interface Watched {
  readonly watcher: Watcher;
  readonly thread: WatchedThread;
}

/** Each on a thread of its own, because a task makes its thread longer. */
async function openBoth(stage: Stage, comments: number): Promise<readonly [ours: Watched, seed: Watched]> {
  const [ours, seed] = [await openThread(stage, comments), await openThread(stage, comments)];
  return [
    { watcher: await createOwnWatcher(ours), thread: ours },
    { watcher: await createSeedWatcher(seed, 'seed, all pages'), thread: seed },
  ];
}

async function openThread({ forge, clock }: Stage, comments: number): Promise<WatchedThread> {
  const number = await forge.openThread({ comments, until: clock.time });
  return { forge, clock, number };
}
