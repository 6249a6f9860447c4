import type { Redact } from '@agent/text/outgoing';
import type { RunSettings } from '../config/run-settings.ts';
import type { ClaimingRun, RunClaim } from '../run/run-claim.ts';
import type { ConfiguredPlatform } from '../run/run-thread.ts';
import { createEditBudgets } from './edit-budget.ts';
import { createReadProgress, type ProgressRecord, type ReadProgress } from './read-progress.ts';
import { createRunProgress, type ProgressingRun, type RunProgress } from './run-progress.ts';

export interface OpenProgressOptions {
  readonly settings: Pick<RunSettings, 'report' | 'planning' | 'time_zone'>;
  readonly redactOutgoing: Redact;
  readonly shutdown: AbortSignal;
  readonly now: () => number;
}

/** A run whose progress is shown. */
export interface ShownRun extends ProgressRecord, Pick<ProgressingRun, 'uuid'> {
  readonly thread: ProgressingRun['thread'] & { readonly platform: ConfiguredPlatform };
}

export type OpenProgress = (run: ShownRun) => {
  /** What its claim says beside the state: nothing where not everybody may read it. */
  readonly readSections: ClaimingRun['readSections'];
  readonly show: (claim: RunClaim) => RunProgress;
};

/** Creates what shows the progress of each run of one process. */
export function createOpenProgress({
  settings: { report, planning, time_zone: timeZone },
  redactOutgoing,
  shutdown,
  now,
}: OpenProgressOptions): OpenProgress {
  const words = { redactOutgoing, timeZone, maxRounds: planning.verification.max_rounds };
  const budgetOf = createEditBudgets(now);
  return (run) => {
    const { audience, platform } = run.thread;
    const read: ReadProgress = report.style === 'single' ? createReadProgress(run, words) : async () => '';
    return {
      readSections: async (shown) => {
        const sections = await read(shown);
        // Asked last: the run may have heard an internal note meanwhile.
        return (await audience.isInternal()) ? '' : sections;
      },
      show: (claim) =>
        createRunProgress({ ...run, claim, read }, { shutdown, now, budget: budgetOf(platform) }),
    };
  };
}
