import type { IndexedRun } from '@agent/run-store';

/** A run as a row of the seeds' `tasks`, in snake_case. */
export type Row = Readonly<Record<string, unknown>> & {
  readonly uuid: string;
  readonly task_key_hash: string;
};

/** One way to keep the runs of all tasks, open. */
export interface TaskStore {
  /** How many runs of the task there are. */
  readonly find: (taskKeyHash: string) => Promise<number>;
  readonly insert: (run: IndexedRun) => Promise<void>;
  readonly update: (run: IndexedRun) => Promise<void>;
  readonly close: () => void;
}

/** One way to keep the runs of all tasks. */
export interface TaskStoreKind {
  /** Writes all rows at once, not in the store's own way, which would take hours. */
  readonly fill: (directory: string, rows: Iterable<Row>) => Promise<void>;
  readonly open: (directory: string) => Promise<TaskStore>;
}
