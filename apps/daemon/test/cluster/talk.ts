import { setTimeout as delay } from 'node:timers/promises';
import type { SeededRandom } from '@agent/simulators/trials';
import { type Cluster, type ClusterThread, stepsOfThread } from './cluster.ts';

/**
 * What people do on a thread: the chatty say, change and take back things; others stop its run, or pause it and let it go on. `early`: somebody
 * who may steer says one thing at the first step, for trials that need a comment.
 */
export type Mood = 'chatty' | 'quiet' | 'stop' | 'pause' | 'early';

export interface Talk {
  /** Called when a thread's conversation has so many results. */
  readonly onStep: (thread: ClusterThread, step: number) => void;
  /** Lets runs that people paused go on, until the thread is over. */
  readonly resume: (
    cluster: Cluster,
    about: { readonly thread: ClusterThread; readonly isOver: () => boolean },
  ) => Promise<void>;
}

const moods = ['chatty', 'chatty', 'chatty', 'chatty', 'chatty', 'quiet', 'stop', 'pause'] as const;
const lookMs = 300;

/** Draws what people do on each of so many threads. */
export function createTalk(
  random: SeededRandom,
  { threads, mood }: { readonly threads: number; readonly mood?: Mood | undefined },
): Talk {
  const plans = Array.from({ length: threads }, () => ({
    mood: mood ?? random.pick<Mood>(moods),
    commandAt: random.between(1, 2),
  }));
  const planOf = ({ ordinal }: ClusterThread) => plans[ordinal - 1];

  function chat({ people }: ClusterThread, step: number): void {
    // What somebody says at the end who may steer leads to another run.
    const act = step < stepsOfThread ? random.next() : random.between(35, 49) / 100;
    const standing = people
      .sayings()
      .filter(({ deletedAt, command }) => deletedAt === null && command === null);
    const one = standing[random.between(0, standing.length - 1)];
    if (act < 0.35) people.say();
    else if (act < 0.5) people.say({ by: 'bob' });
    else if (act < 0.65 && one !== undefined) people.edit(one);
    else if (act < 0.8 && one !== undefined) people.remove(one);
  }

  return {
    onStep: (thread, step) => {
      const plan = planOf(thread);
      if (plan === undefined || plan.mood === 'quiet' || step < 1) return;
      if (plan.mood === 'early') {
        if (step === 1) thread.people.say();
        return;
      }
      if (plan.mood !== 'chatty' && step === plan.commandAt) thread.people.command(plan.mood);
      else chat(thread, step);
    },
    resume: async ({ findRuns, listRuns }, { thread, isOver }) => {
      if (planOf(thread)?.mood !== 'pause') return;
      for (; !isOver(); await delay(lookMs)) {
        const own = await findRuns(thread);
        const rows = (await listRuns()).filter(({ uuid }) => own.includes(uuid));
        if (!rows.some(({ place }) => place === 'paused')) continue;
        thread.people.command('resume');
        return;
      }
    },
  };
}
