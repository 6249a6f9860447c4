import type { InheritanceSettings } from './inheritance-settings.ts';
import type { KnownPeople } from './mask-people.ts';
import type { PreviousRun } from './model.ts';
import type { IndexedTask } from './ports.ts';
import { type RunSelection, selectRuns } from './select-runs.ts';

/** The runs of a thread, parted, and whom their texts may name. */
export interface RunSearch {
  readonly selection: RunSelection;
  readonly people: KnownPeople;
}

export interface RunSearchOptions extends IndexedTask {
  readonly settings: Pick<InheritanceSettings, 'now' | 'contextExpiryDays' | 'includeFailedContexts'>;
  /** True for a list for people: neither age nor failure nor `/fresh-start` hides a run. Default false. */
  readonly showsAll?: boolean;
}

/** Parts the listed runs of a thread by the settings. */
export function searchRuns(
  runs: readonly PreviousRun[],
  { taskKeyHash, host, settings, showsAll = false }: RunSearchOptions,
): RunSearch {
  const listed = showsAll ? runs.map((run) => ({ ...run, inheritanceBarrierAt: null })) : runs;
  const selection = selectRuns(listed, {
    taskKeyHash,
    host,
    now: settings.now(),
    expiryDays: showsAll ? Number.POSITIVE_INFINITY : settings.contextExpiryDays,
    includeFailed: showsAll || settings.includeFailedContexts,
  });
  return { selection, people: { users: listKnown(runs, 'user'), hostnames: listKnown(runs, 'hostname') } };
}

function listKnown(runs: readonly PreviousRun[], key: 'user' | 'hostname'): readonly string[] {
  return [...new Set(runs.map((run) => run[key]).filter((name) => name !== null))];
}
