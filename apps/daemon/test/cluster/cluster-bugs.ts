import type { SeededBug } from '@agent/simulators/trials';
import type { Harm } from './harm.ts';
import type { Mood } from './talk.ts';

/** A trial of a cluster. */
export interface ClusterTrial {
  readonly seed: number;
  /** Default: drawn from the seed. */
  readonly harms?: readonly Harm[];
  /** Behavior of people on all threads. Default: drawn for each. */
  readonly mood?: Mood;
  /** Default: as `--threads` says. */
  readonly threads?: number;
}

/** Trials in which the worker of the first thread is harmed. */
function harmed(
  harm: Pick<Harm, 'kind' | 'step' | 'moment' | 'side'>,
  mood: Mood = 'chatty',
): () => readonly ClusterTrial[] {
  const rest = { role: 'work', thread: 1, nth: 1, ways: [], how: 'refuses', forMs: 2_000 } as const;
  return () => [102, 103, 104].map((seed) => ({ seed, harms: [{ ...rest, ...harm }], mood, threads: 2 }));
}

const kill = { kind: 'kill', side: 'after' } as const;

/** Faults in the sources of the processes that the judge has to find. */
export const clusterBugs: readonly SeededBug<ClusterTrial>[] = [
  {
    name: 'the-dead-keep-their-jobs',
    does: 'never looks after the jobs of processes that died',
    changes: [{ find: 'return at < calmUntil ? [] : silent.filter(isDead);', replace: 'return [];' }],
    trials: harmed({ ...kill, step: 2, moment: 'line' }),
    finds: [/^wrong: .*were not taken over within 30 s/],
  },
  {
    name: 'a-late-line-is-accepted',
    does: 'writes behind whatever stands in the record, and compares no number of an owner',
    changes: [
      {
        find: `UPDATE \${at}.runs SET line = $4, "check" = $6
         WHERE uuid = $1 AND owner = $2 AND line = $4 - 1 AND "check" = $5 AND \${isMember('$3')} RETURNING uuid
       )`,
        replace: `UPDATE \${at}.runs SET line = line + 1, "check" = $6
         WHERE uuid = $1 AND $2::bigint > 0 AND $4::int > 0 AND $5::text <> '' AND \${isMember('$3')} RETURNING uuid, line
       )`,
      },
      {
        find: 'SELECT uuid, $4, $7, $8 FROM moved RETURNING line',
        replace: 'SELECT uuid, line, $7, $8 FROM moved RETURNING line',
      },
    ],
    trials: harmed({ kind: 'zombie', side: 'before', step: 2, moment: 'line' }),
    finds: [/^wrong: .*the late line of a zombie stands in the record/],
  },
  {
    name: 'a-report-is-given-twice',
    does: 'posts a comment without looking whether another process has posted it, and leaves two as they are',
    changes: [
      {
        find: 'const found = known ?? (await findOnThread(thread, wanted));',
        replace: 'const found = known;',
      },
      {
        find: 'if (!(await isRemoved(thread, comment.id, { signal }))) stay.push(comment);',
        replace: 'stay.push(comment);',
      },
    ],
    trials: harmed({ ...kill, step: 5, moment: 'final' }),
    finds: [/^twice: .*final comments, not 1/],
  },
  {
    name: 'a-handover-drops-comments',
    does: 'takes what the process before it heard for told, though the model was not',
    changes: [
      {
        find: '    isRestored = true;\n    manager.restore(null, heard);',
        replace: `    isRestored = true;
    const told = (event) => 'observations' in event && event.opening === null
      ? [event, { delivers: event.observations.map(({ id, revision, kind }) => ({ id, revision, kind })) }]
      : [event];
    manager.restore(null, heard.flatMap(told));`,
      },
    ],
    trials: harmed({ ...kill, step: 1, moment: 'heard' }, 'early'),
    finds: [/^lost: .*was said in time, and the model was not told/],
  },
  {
    name: 'a-bell-is-lost',
    does: 'begins what it is notified of alone, and is not notified',
    changes: [
      { find: 'const lookMs = 3_000;', replace: 'const lookMs = 3_000_000;' },
      // Every poll notifies the queue, too.
      { find: 'holds.clear();\n      bell.ring();', replace: 'holds.clear();' },
      {
        find: "name: 'tasks', onArrival, logger",
        replace: "name: 'tasks', onArrival: () => {}, logger",
      },
    ],
    trials: harmed({ ...kill, step: 2, moment: 'line' }),
    finds: [/^lost: .*it has 0 final comments/],
  },
  {
    name: 'work-stays-where-it-was',
    does: 'goes on without the files of the process before it',
    changes: [
      {
        find: 'return restoreSnapshot(context, { ...options, state, bundle });',
        replace: "return 'it was left where it is';",
      },
    ],
    trials: harmed({ ...kill, step: 3, moment: 'question' }),
    finds: [/^lost: .*stands in branches 0 times/],
  },
];
