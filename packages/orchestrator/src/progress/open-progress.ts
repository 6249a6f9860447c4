import type { Locale } from '@agent/text';
import type { Redact } from '@agent/text/outgoing';
import type { RunSettings } from '../config/run-settings.ts';
import type { ClaimingRun, RunClaim } from '../run/run-claim.ts';
import type { ConfiguredPlatform, RunAudience } from '../run/run-thread.ts';
import { createEditBudgets } from './edit-budget.ts';
import { formatProgress, formatSeparateComment } from './format-progress.ts';
import { createReadProgress, type ProgressRecord } from './read-progress.ts';
import {
  createRunProgress,
  type ProgressingRun,
  type ReadComments,
  type RunProgress,
} from './run-progress.ts';
import { formatProgressComment, listSeedComments, readHistory } from './seed-comments.ts';

export interface OpenProgressOptions {
  readonly settings: Pick<RunSettings, 'report' | 'planning' | 'time_zone'>;
  readonly redactOutgoing: Redact;
  readonly shutdown: AbortSignal;
  readonly now: () => number;
}

/** A run whose progress is shown. */
export interface ShownRun extends ProgressRecord, Pick<ProgressingRun, 'uuid'> {
  readonly locale: Locale;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly thread: ProgressingRun['thread'] & {
    readonly audience: Pick<RunAudience, 'isInternal'>;
    readonly platform: ConfiguredPlatform;
  };
}

export type OpenProgress = (run: ShownRun) => {
  /** Reads what its claim says beside the state: nothing where not everybody may read it. */
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
  const { progress_comment: progressComment, verification } = planning;
  const budgetOf = createEditBudgets(now);
  return (run) => {
    const { audience, platform } = run.thread;
    const { locale } = run;
    const words = { locale, redactOutgoing, timeZone, maxRounds: verification.max_rounds };
    const readView = createReadProgress(run);
    const isSingle = report.style === 'single';
    const readSections: ClaimingRun['readSections'] = async (shown) =>
      isSingle ? formatProgress(await readView(), { ...words, ...shown }) : '';
    const readOne: ReadComments = async (shown) => {
      const sections = await readSections(shown);
      return sections === '' ? [] : [{ topic: 'progress', body: formatSeparateComment(sections, locale) }];
    };
    const readSeeds: ReadComments = async ({ isOver }) => {
      const view = await readView();
      if (!progressComment.enabled) return listSeedComments(view, words);
      const { uuid, startedAt } = run;
      const history = await readHistory(run, { maxEntries: progressComment.max_history_entries });
      const body = formatProgressComment(view, { ...words, uuid, startedAt, history, isOver });
      return [{ topic: 'progress', body }];
    };
    const read = isSingle ? readOne : readSeeds;
    return {
      readSections: async (shown) => {
        const sections = await readSections(shown);
        // Asked last: the run may have heard an internal note meanwhile.
        return (await audience.isInternal()) ? '' : sections;
      },
      show: (claim) => {
        const showsInClaim = async () => isSingle && claim.isKept && !(await audience.isInternal());
        const shown = { ...run, claim, read, showsInClaim };
        return createRunProgress(shown, { shutdown, now, budget: budgetOf(platform) });
      },
    };
  };
}
