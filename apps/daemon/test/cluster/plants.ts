import type { SourceChange } from '@agent/simulators/plants';

/** A fault in the sources of the processes, which the checker has to find. */
export interface ClusterPlant {
  readonly name: string;
  /** What the processes do then. */
  readonly does: string;
  readonly changes: readonly SourceChange[];
  /** Seed of a trial that shows it. */
  readonly seed: number;
  /** Words of what is found. */
  readonly says: string;
}

export const clusterPlants: readonly ClusterPlant[] = [
  {
    name: 'the-dead-keep-their-jobs',
    does: 'never looks after the jobs of processes that died',
    changes: [{ find: 'await queue.boss.supervise(queue.name);', replace: '' }],
    seed: 101,
    says: 'were not taken over within 30 s',
  },
];
