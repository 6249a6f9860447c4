import type { DetectionStatistics } from '@agent/comment-detection';
import type { ReadTreeFile } from '@agent/context-inheritance';
import type { JsonObject, Outcome } from '@agent/run-store';
import { type RunOutcome, type RunResult, type RunStatistics, readStatistics } from '@agent/runner';
import type { PlanningState } from '@agent/runner/planning';
import { z } from 'zod';
import type { CommentSummary } from '../inbox/delivered-comments.ts';
import { toCostStatistics } from '../plan/metering.ts';
import { toPlanDetails } from '../plan/plan-stage.ts';
import { readPrePlanningCost } from '../plan/pre-planning-files.ts';
import type { TextGuard } from '../thread/text-guard.ts';
import type { Run } from './run.ts';
import { type StopCause, stopCauseSchema } from './watch-thread.ts';

/** Work that a run left on the platform. Without a commit it changed nothing, and the change request is that of an earlier run. */
export interface Delivery {
  readonly branch: string | null;
  readonly commit: string | null;
  readonly changeRequest: DeliveredRequest | null;
  /** Paths that this run changed. */
  readonly changedFiles: readonly string[];
}

/** The pull or merge request that shows the work. */
export interface DeliveredRequest {
  readonly number: number;
  readonly url: string;
  /** True where its description tells of this run; false where people have made it their own. */
  readonly isDescribed: boolean;
}

/** End of a run as it is judged and recorded. */
export interface JudgedOutcome extends Omit<RunOutcome, 'status'> {
  readonly status: Outcome;
  /** Error that the run failed with, for its log line. Default none. */
  readonly error?: unknown;
}

/** End of a run, and what it left on the platform. */
export interface RunEnding extends ReportedEnding {
  /** Guard that texts of people pass on their way to the model; null for a run that failed before it could hear any. */
  readonly guard: TextGuard | null;
  /** Reads the worktree of the run; null where there is none. */
  readonly readFile: ReadTreeFile | null;
}

/** Ending as far as an attempt knows it. */
export type AttemptedEnding = Omit<RunEnding, 'stopCause'>;

/** An ending, as far as people are told of it. */
export interface ReportedEnding {
  readonly outcome: JudgedOutcome;
  readonly delivery: Delivery;
  /** Comments that came meanwhile. */
  readonly hearing: CommentSummary;
  /** Act on the thread that told the run to stop; null if there was none. */
  readonly stopCause: StopCause | null;
}

export interface EndDetails {
  /** The comment that the run ends with, to the letter. */
  readonly finalComment: string;
  readonly delivery: Delivery;
  readonly detection: DetectionStatistics | null;
  /** The plan as the run left it; null for one in loop mode. */
  readonly plan: PlanningState | null;
  /** Act on the thread that stopped the run. Default null: there was none. */
  readonly stopCause?: StopCause | null | undefined;
}

const detailsSchema = z.object({
  final_comment: z.string(),
  branch: z.string().nullable(),
  commit: z.string().nullable(),
  change_request: z
    .object({ number: z.number(), url: z.string(), is_described: z.boolean().default(true) })
    .nullable(),
  changed_files: z.array(z.string()),
});

/** Formats what `outcome.json` keeps beside the outcome itself. */
export function formatEndDetails({
  finalComment,
  delivery,
  detection,
  plan,
  stopCause = null,
}: EndDetails): JsonObject {
  return {
    final_comment: finalComment,
    branch: delivery.branch,
    commit: delivery.commit,
    change_request: delivery.changeRequest && toRequestJson(delivery.changeRequest),
    changed_files: delivery.changedFiles,
    comment_detection: detection === null ? null : { ...detection },
    ...(plan === null ? {} : { planning: toPlanDetails(plan) }),
    stop_cause: stopCause,
    ...(stopCause === 'deleted' ? { thread_deleted: true } : {}),
  };
}

/** Reads it back. @throws when `outcome.json` was not written by this program */
export function parseEndDetails(json: unknown): Omit<EndDetails, 'detection' | 'plan' | 'stopCause'> {
  const details = detailsSchema.parse(json);
  return {
    finalComment: details.final_comment,
    delivery: {
      branch: details.branch,
      commit: details.commit,
      changeRequest: details.change_request && toRequest(details.change_request),
      changedFiles: details.changed_files,
    },
  };
}

const withdrawalSchema = z.object({ withdrawn_for: z.string() });

/** Formats what is kept of an end by which a run left its thread to another one. */
export function formatWithdrawal(holder: string): z.infer<typeof withdrawalSchema> {
  return { withdrawn_for: holder };
}

const deletionSchema = z.object({ thread_deleted: z.literal(true) });

/** Tells whether a run ended because its thread was deleted. */
export function isOfDeleted({ details }: { readonly details?: unknown }): boolean {
  return deletionSchema.safeParse(details).success;
}

const causeSchema = z.object({ stop_cause: stopCauseSchema });

/** Reads the act on the thread that stopped a run; null if there was none. */
export function parseStopCause({ details }: { readonly details?: unknown }): StopCause | null {
  return causeSchema.safeParse(details).data?.stop_cause ?? null;
}

/** Reads the number of the pull or merge request that a run opened or updated; null if there is none. */
export function parseRequestNumber({ details }: { readonly details?: unknown }): number | null {
  return detailsSchema.pick({ change_request: true }).safeParse(details).data?.change_request?.number ?? null;
}

/** Tells whether an end is a withdrawal. */
export function isWithdrawn({ details }: { readonly details?: unknown }): boolean {
  return withdrawalSchema.safeParse(details).success;
}

function toRequestJson({ isDescribed, ...request }: DeliveredRequest): JsonObject {
  return { ...request, is_described: isDescribed };
}

function toRequest({
  is_described: isDescribed,
  ...request
}: NonNullable<z.infer<typeof detailsSchema>['change_request']>): DeliveredRequest {
  return { ...request, isDescribed };
}

/** A run, as far as its files go. */
export interface RunOnDisk extends Pick<Run, 'state' | 'logger'> {
  readonly journal: Pick<Run['journal'], 'read'>;
}

/**
 * Reads what a run has cost so far: what its journal says, and of one whose conversation was never opened, what getting it
 * ready has cost.
 */
export async function readRunStatistics({ journal, state, logger }: RunOnDisk): Promise<RunStatistics> {
  const beforeOpening = toCostStatistics(await readPrePlanningCost(state, logger));
  return readStatistics(journal, { beforeOpening });
}

/** `interrupted`: a shutdown came first; `deferred`: an outage came first. */
export type Attempted =
  | { readonly kind: 'ended'; readonly ending: AttemptedEnding }
  | { readonly kind: 'interrupted' }
  | Pick<Extract<RunResult, { kind: 'deferred' }>, 'kind' | 'waitsFor' | 'reason'>;
