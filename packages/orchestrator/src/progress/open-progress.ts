import type { Doorbell, SharedUse } from '@agent/platforms/sources';
import { type Redact, toCodeSpan } from '@agent/text/outgoing';
import type { RunSettings } from '../config/run-settings.ts';
import type { RunLogger } from '../host/ports.ts';
import type { RepeatTask } from '../host/repeat-task.ts';
import type { Run, RunProgress } from '../run/run.ts';
import type { ClaimingRun, RunClaim } from '../run/run-claim.ts';
import type { RunOnDisk } from '../run/run-ending.ts';
import { createKeepChecklistId } from './checklist-comment.ts';
import { createEditBudgets } from './edit-budget.ts';
import type { PlanTelling } from './format-plan-sections.ts';
import {
  formatProgress,
  formatSeparateComment,
  type ProgressView,
  toPrePlanningSections,
} from './format-progress.ts';
import { createPulse } from './pulse.ts';
import { createReadProgress } from './read-progress.ts';
import { type PaidRun, type ReadVitalsOptions, readVitals } from './read-vitals.ts';
import { createRunProgress, progressTopic, type ReadComments, type ShownComment } from './run-progress.ts';
import { formatProgressComment, listSeedComments, readHistory } from './seed-comments.ts';
import { progressTexts } from './texts.ts';

export interface OpenProgressOptions extends Pick<ReadVitalsOptions, 'readCost' | 'countHeld' | 'now'> {
  readonly settings: Pick<RunSettings, 'report' | 'planning' | 'time_zone'> & {
    readonly llm: Pick<RunSettings['llm'], 'currency'>;
  };
  readonly redactOutgoing: Redact;
  readonly doorbell: Pick<Doorbell, 'hasNotified'>;
  /** Lists tools of MCP servers that wait for an operator, such as `mcp:tracker/list`. */
  readonly listWaitingTools: () => Promise<readonly string[]>;
  readonly shutdown: AbortSignal;
  /** Runs a task again and again until the function it gave back is called. Default an unreferenced interval. */
  readonly repeat?: RepeatTask | undefined;
  /** Resolves after this long, or as soon as the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Edits by other processes. Default null: there are none. */
  readonly shared?: SharedUse | null | undefined;
  readonly logger?: RunLogger | undefined;
}

/** A run whose progress is shown. */
export interface ShownRun extends RunOnDisk, PaidRun, Pick<Run, 'startedAt'> {}

export type OpenProgress = (run: ShownRun) => {
  /** Reads what its claim says: of what happened nothing where not everybody may read it. */
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
  settings: { report, planning, time_zone: timeZone, llm },
  redactOutgoing,
  doorbell,
  listWaitingTools,
  shutdown,
  now,
  readCost,
  countHeld,
  repeat,
  sleep,
  ...others
}: OpenProgressOptions): OpenProgress {
  const { progress_comment: progressComment, pre_planning: prePlanning } = planning;
  const sections = toPrePlanningSections(prePlanning.notification);
  const budgetOf = createEditBudgets({ ...others, now });
  return (run) => {
    const { audience, platform, ports } = run.thread;
    const { locale } = run.facts;
    const pulse = createPulse(now);
    const words = { locale, redactOutgoing, timeZone };
    const readView = createReadProgress(run);
    const isSingle = report.style === 'single';
    const toProgress = async (view: ProgressView, { isOver }: { readonly isOver: boolean }) => {
      if (isSingle) {
        const progress = formatProgress(view, { ...words, sections, isOver });
        return progress === ''
          ? []
          : [{ topic: progressTopic, body: formatSeparateComment(progress, locale) }];
      }
      if (!progressComment.enabled) return listSeedComments(view, words);
      const { uuid, startedAt } = run;
      const history = await readHistory(run, { maxEntries: progressComment.max_history_entries });
      const body = formatProgressComment(view, { ...words, uuid, startedAt, history, isOver });
      return [{ topic: progressTopic, body }];
    };
    const read: ReadComments = async (shown) => {
      const view = await readView();
      return [...(await toProgress(view, shown)), ...listReplies(view, words), ...listApprovals(view, words)];
    };
    return {
      readSections: async ({ state }) => {
        const view = await readView();
        const isOver = state === 'ended';
        const isAtWork = state === 'claimed' || state === 'working';
        const progress = isSingle ? formatProgress(view, { ...words, sections, isOver, isAtWork }) : '';
        const { currency } = llm;
        const vitals = await readVitals(
          { ...run, pulse },
          { state, view, readCost, countHeld, currency, timeZone, now },
        );
        // Asked last: the run may have heard an internal note meanwhile.
        const waiting = isOver ? '' : await formatWaitingTools(run, { locale, listWaitingTools });
        const parts = (await audience.isInternal()) ? [vitals] : [vitals, waiting, progress];
        return parts.filter((part) => part !== '').join('\n\n');
      },
      show: (claim) => {
        const showsInClaim = async () => isSingle && claim.isKept && !(await audience.isInternal());
        const onShown = createKeepChecklistId(run);
        const shown = { ...run, claim, read, showsInClaim, pulse, onShown };
        const isPolled = () => platform.platform.name === 'github' && !doorbell.hasNotified(ports.key);
        const isQuick = !isSingle && progressComment.enabled;
        const editIntervalMs = () => (isQuick && !isPolled() ? quickEditMs : editMs);
        const budget = budgetOf(platform);
        return createRunProgress(shown, { shutdown, now, sleep, repeat, editIntervalMs, budget });
      },
    };
  };
}

/** Largest number of tools that are named. */
const maxTools = 5;

/** A server chooses the names of its tools: an unusual one is shown as JSON. */
const toNamedTool = (name: string) =>
  /^mcp:[\w.-]+\/[\w.-]{1,100}$/u.test(name) ? `\`${name}\`` : toCodeSpan(name.slice(0, 200));

/** Names the tools that the run cannot use; empty without such tools, and if they cannot be read. */
async function formatWaitingTools(
  { logger }: Pick<ShownRun, 'logger'>,
  { locale, listWaitingTools }: Pick<PlanTelling, 'locale'> & Pick<OpenProgressOptions, 'listWaitingTools'>,
): Promise<string> {
  const tools = await listWaitingTools().catch((err: unknown) => {
    logger.warn({ err }, 'failed to list waiting MCP tools');
    return [];
  });
  const named = tools.slice(0, maxTools).map((tool) => toNamedTool(tool));
  return tools.length === 0 ? '' : progressTexts[locale].waitingTools(named, tools.length - named.length);
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

/** Lists a reply to each approval that was given without the command, so that nobody approves a plan by accident unnoticed. */
function listApprovals(
  { plan }: Pick<ProgressView, 'plan'>,
  { locale }: Pick<PlanTelling, 'locale'>,
): readonly ShownComment[] {
  let version = 1;
  const replies: ShownComment[] = [];
  for (const fact of plan?.facts ?? []) {
    if (fact.type === 'revision') version += 1;
    if (fact.type !== 'approval' || fact.state !== 'given' || !fact.words) continue;
    const body = progressTexts[locale].approved({ ...fact, by: fact.by ?? '', words: fact.words, version });
    replies.push({ topic: `approval-reply-${replies.length + 1}`, body });
  }
  return replies;
}
