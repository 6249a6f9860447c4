/** Reason for which no task starts, or a run stands still. */
export type HoldCause =
  | 'requests_primary'
  | 'requests_secondary'
  | 'content_writes'
  | 'platform_away'
  | 'model_away'
  | 'model_refused'
  | 'agent_missing'
  | 'money_day'
  | 'money_person'
  | 'money_repository'
  | 'disk'
  | 'disk_worktrees'
  | 'database'
  | 'paused_all'
  | 'no_poller'
  | 'no_worker';

/** Something that keeps tasks from starting, or a run from continuing. */
export interface HoldState {
  readonly cause: HoldCause;
  /** Host, day or model that it is about, or repository or account with its host (`github.com/acme/shop`); null for everything. */
  readonly scope: string | null;
  /** Milliseconds since 1970. */
  readonly since: number;
  /** Expected end in milliseconds since 1970; null if it is unknown. */
  readonly until: number | null;
  /** User who caused it; null for no one. */
  readonly by: string | null;
  /** Details in words for people; null for none. */
  readonly reason: string | null;
}
