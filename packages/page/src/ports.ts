import type { BoardRow } from '@agent/orchestrator/watch';

/** Outcome of a run. */
export type Outcome = NonNullable<BoardRow['status']>;

/** Reads the settings of the process again: all that may change is taken over, or nothing. */
export interface SettingsReload {
  readonly reload: () => Promise<
    | {
        readonly status: 'taken';
        /** Keys that changed, and those of them that have no effect before a restart. */
        readonly changed: readonly string[];
        readonly needRestart: readonly string[];
      }
    | { readonly status: 'refused'; readonly reason: string }
  >;
}
