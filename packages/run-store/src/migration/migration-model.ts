import type { RunPlacesOptions } from '../file/run-places.ts';
import type { JsonObject } from '../run-model.ts';

/** A task as the index needs it. */
export interface MigratedTask {
  readonly taskKey: JsonObject;
  /** Such as `github_issue:owner:repo:42`. */
  readonly taskKeyText: string;
  /** Host of the platform, such as `github.com`. */
  readonly host: string;
}

/** Options of the migration of a store. */
export interface MigrateOptions extends RunPlacesOptions {
  /** Reads a task's key in its JSON form; throws, with the reason, for one that is none or belongs to no platform. */
  readonly toTask: (key: JsonObject) => MigratedTask;
  /** False: looks and changes nothing. */
  readonly apply: boolean;
}

/** What became, or would become, of one directory. */
export interface MigratedRun {
  readonly uuid: string;
  /** `migrated` now, or with `apply`; `current`: nothing to do; `left`: it cannot be migrated, and stays as it is. */
  readonly kind: 'migrated' | 'current' | 'left';
  readonly taskKeyText: string | null;
  readonly status: 'completed' | 'failed' | 'stopped' | null;
  /** Whether the status was concluded from the summaries, because `tasks.db` does not know the run. */
  readonly statusInferred: boolean;
  /** ISO 8601, UTC: from when on its age counts. The run's beginning where nothing says when it ended; null for others. */
  readonly endedAt: string | null;
  /** Why it was left; null for the others. */
  readonly reason: string | null;
}
