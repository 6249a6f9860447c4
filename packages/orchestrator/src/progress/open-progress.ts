import type { PlatformThread } from '@agent/platforms';
import type { Doorbell, SharedUse } from '@agent/platforms/sources';
import type { Locale } from '@agent/text';
import type { Redact } from '@agent/text/outgoing';
import type { RunSettings } from '../config/run-settings.ts';
import type { RunLogger } from '../ports.ts';
import type { ClaimingRun, RunClaim } from '../run/run-claim.ts';
import type { ConfiguredPlatform, RunAudience } from '../run/run-thread.ts';
import { createEditBudgets } from './edit-budget.ts';
import type { PlanTelling } from './format-plan-sections.ts';
import { formatProgress, formatSeparateComment, type ProgressView } from './format-progress.ts';
import { createReadProgress, type ProgressRecord } from './read-progress.ts';
import {
  createRunProgress,
  type ProgressingRun,
  progressTopic,
  type ReadComments,
  type RunProgress,
  type ShownComment,
} from './run-progress.ts';
import { formatProgressComment, listSeedComments, readHistory } from './seed-comments.ts';

export interface OpenProgressOptions {
  readonly settings: Pick<RunSettings, 'report' | 'planning' | 'time_zone'>;
  readonly redactOutgoing: Redact;
  readonly doorbell: Pick<Doorbell, 'hasNotified'>;
  readonly shutdown: AbortSignal;
  readonly now: () => number;
  /** Edits by other processes. Default null: there are none. */
  readonly shared?: SharedUse | null | undefined;
  readonly logger?: RunLogger | undefined;
}

/** A run whose progress is shown. */
export interface ShownRun extends ProgressRecord, Pick<ProgressingRun, 'uuid'> {
  readonly locale: Locale;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly thread: ProgressingRun['thread'] & {
    readonly audience: Pick<RunAudience, 'isInternal'>;
    readonly platform: ConfiguredPlatform;
    readonly ports: Pick<PlatformThread, 'key'>;
  };
}

export type OpenProgress = (run: ShownRun) => {
  /** Reads what its claim says beside the state: nothing where not everybody may read it. */
  readonly readSections: ClaimingRun['readSections'];
  readonly show: (claim: RunClaim) => RunProgress;
};

/**
 * Milliseconds between two edits for single steps. Where threads of GitHub are polled, a listing in which nothing changed costs nothing,
 * and each edit makes it cost a request; the one comment of the seeds is edited more often everywhere else. @see decision X5
 */
const editMs = 60_000;
const quickEditMs = 5_000;

/** Creates what shows the progress of each run of one process. */
export function createOpenProgress({
  settings: { report, planning, time_zone: timeZone },
  redactOutgoing,
  doorbell,
  shutdown,
  now,
  ...others
}: OpenProgressOptions): OpenProgress {
  const { progress_comment: progressComment } = planning;
  const budgetOf = createEditBudgets({ ...others, now });
  return (run) => {
    const { audience, platform, ports } = run.thread;
    const { locale } = run;
    const words = { locale, redactOutgoing, timeZone };
    const readView = createReadProgress(run);
    const isSingle = report.style === 'single';
    const toProgress = async (view: ProgressView, { isOver }: { readonly isOver: boolean }) => {
      if (isSingle) {
        const sections = formatProgress(view, { ...words, isOver });
        return sections === ''
          ? []
          : [{ topic: progressTopic, body: formatSeparateComment(sections, locale) }];
      }
      if (!progressComment.enabled) return listSeedComments(view, words);
      const { uuid, startedAt } = run;
      const history = await readHistory(run, { maxEntries: progressComment.max_history_entries });
      const body = formatProgressComment(view, { ...words, uuid, startedAt, history, isOver });
      return [{ topic: progressTopic, body }];
    };
    const read: ReadComments = async (shown) => {
      const view = await readView();
      return [...(await toProgress(view, shown)), ...listReplies(view, words)];
    };
    return {
      readSections: async (shown) => {
        const sections = isSingle ? formatProgress(await readView(), { ...words, ...shown }) : '';
        // Asked last: the run may have heard an internal note meanwhile.
        return (await audience.isInternal()) ? '' : sections;
      },
      show: (claim) => {
        const showsInClaim = async () => isSingle && claim.isKept && !(await audience.isInternal());
        const shown = { ...run, claim, read, showsInClaim };
        const isPolled = () => platform.platform.name === 'github' && !doorbell.hasNotified(ports.key);
        const isQuick = !isSingle && progressComment.enabled;
        const editIntervalMs = () => (isQuick && !isPolled() ? quickEditMs : editMs);
        return createRunProgress(shown, { shutdown, now, editIntervalMs, budget: budgetOf(platform) });
      },
    };
  };
}

/**
 * Lists the answers of a run to what people asked while it planned or carried out its plan, oldest first: each is a comment of its
 * own, as an edit tells nobody that there is one.
 */
function listReplies(
  { plan }: Pick<ProgressView, 'plan'>,
  { redactOutgoing }: Pick<PlanTelling, 'redactOutgoing'>,
): readonly ShownComment[] {
  const replies = (plan?.facts ?? []).flatMap((fact) =>
    fact.type === 'reflection' && fact.evaluation.reply ? [fact.evaluation.reply] : [],
  );
  return replies.map((reply, index) => ({
    topic: `reply-${index + 1}`,
    body: `💬 ${redactOutgoing(reply)}`,
  }));
}
