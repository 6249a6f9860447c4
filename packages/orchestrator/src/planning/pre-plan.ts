import type { Account } from '@agent/platforms';
import type { PrePlanningRequest } from '@agent/pre-planning';
import { findExceededLimit, type OpenedConversation, type RunLimits, type RunSignals } from '@agent/runner';
import { type Locale, mapTexts } from '@agent/text';
import type { SecretFilters } from '@agent/text/outgoing';
import type { ObserveBoard } from '../board/board-event.ts';
import type { RunInbox } from '../inbox/run-inbox.ts';
import type { RunModels } from '../models/run-models.ts';
import {
  createKnownComments,
  findMissedChanges,
  type KnownComments,
  type SaidChange,
} from '../plan/known-comments.ts';
import { type CostMeter, createCostMeter, noCost, toCostStatistics } from '../plan/metering.ts';
import { isPlanned } from '../plan/plan-mode.ts';
import {
  createPrePlanningFiles,
  type KeptPrePlanning,
  type PrePlanningFiles,
  readKeptPrePlanning,
} from '../plan/pre-planning-files.ts';
import type { Run } from '../run/run.ts';
import type { Snapshot } from '../run/run-thread.ts';
import { isOwnComment } from '../thread/trust.ts';
import type { TaskTools } from '../tools/task-tools.ts';
import {
  createPrePlanningCheckpoint,
  type PrePlanningCheckpoint,
  type PrePlanningCheckpointOptions,
  toPrePlanningRequest,
} from './checkpoint.ts';
import {
  type CreateManager,
  createManagers,
  type ManagedPrePlanning,
  type ManagerServices,
} from './manager.ts';
import { type CutShortCause, formatPrePlanningResult, postCutShort, toCutShort } from './notices.ts';
import type { PrePlanning } from './open-pre-planning.ts';

export interface PrePlanServices extends Pick<ManagerServices, 'shares'> {
  readonly prePlanning: PrePlanning;
  /** Opens the models of a run, whose calls it pays for. */
  readonly openModels: (run: Pick<Run, 'uuid' | 'facts' | 'thread'>) => RunModels;
  /** True where each thing is told by a comment of its own; else the one of the run shows it. */
  readonly postsNotices: boolean;
  /** Size of the model's window, in tokens. */
  readonly contextLength: number;
  /** Limits of the whole run. */
  readonly readLimits: () => RunLimits;
  /** Zone of all times on threads: an IANA name. */
  readonly timeZone: string;
  readonly secrets: SecretFilters;
  readonly observe: ObserveBoard;
  readonly shutdown: AbortSignal;
  readonly now: () => number;
}

export interface PrePlanningStart {
  readonly snapshot: Snapshot;
  readonly runInbox: RunInbox;
  readonly tools: Pick<TaskTools, 'tools'>;
  readonly signals: RunSignals;
  /** Aborted by a command or a shutdown. Default: by a shutdown. */
  readonly signal?: AbortSignal | undefined;
}

/** Result of pre-planning that a conversation is opened with. */
export interface PrePlannedRun extends Pick<OpenedConversation, 'spent' | 'earlierMs'> {
  /** Text for the instructions; empty for nothing. */
  readonly foundOut: string;
}

/**
 * Understands, collects and assumes before the first step of a run, from wherever an earlier process left that. What
 * fails costs the run what was not found out, never itself; so does its share of a limit, once that is used up.
 * @see seed 004 §2
 *
 * @throws PrePlanningInterrupted when a person pauses or stops the run meanwhile; the reason of an aborted signal
 */
export type PrePlan = (run: Run, start: PrePlanningStart) => Promise<PrePlannedRun>;

/** Pre-plans nothing: for runs that begin at once. */
export const prePlanNothing: PrePlan = async () => ({ foundOut: '' });

/** Creates it. */
export function createPrePlan(services: PrePlanServices): PrePlan {
  const { observe } = services;
  const createManager = createManagers(services);
  return async (run, start) => {
    const { uuid, state, logger } = run;
    const { signal = services.shutdown } = start;
    const files = createPrePlanningFiles(state);
    const kept = await readKeptPrePlanning(state, logger);
    const earlier = kept?.cost ?? noCost;
    const meter = createCostMeter(earlier, services);
    let foundOut = '';
    try {
      foundOut = await carryOut(services, run, { ...start, signal, createManager, files, kept, meter });
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof PrePlanningInterrupted) throw error;
      logger.warn({ err: error }, 'pre-planning failed; starting without its results');
    } finally {
      start.runInbox.rejections.follow(null);
      observe({ type: 'preparation', uuid, stage: null });
    }
    return { foundOut, spent: toSpent(meter), earlierMs: earlier.activeMs };
  };
}

function toSpent(meter: CostMeter): PrePlannedRun['spent'] {
  const { durationMs: _, ...spent } = toCostStatistics(meter.read());
  return spent;
}

interface PrePlanningKit extends PrePlanningStart {
  readonly signal: AbortSignal;
  readonly createManager: CreateManager;
  readonly files: PrePlanningFiles;
  readonly kept: KeptPrePlanning | null;
  readonly meter: CostMeter;
}

async function carryOut(services: PrePlanServices, run: Run, kit: PrePlanningKit): Promise<string> {
  const { snapshot, runInbox, signals, kept, meter, signal } = kit;
  const { secrets, contextLength, prePlanning, postsNotices } = services;
  const { hideKnownSecrets } = secrets;
  const { logger } = run;
  const ownAccount = await run.thread.platform.platform.identity.whoAmI({ signal });
  const asked = await toPrePlanningRequest(snapshot, { guard: runInbox.guard, ownAccount, signal });
  // As the state keeps them, so that a comment which it was told of is known to be the same.
  const request = { ...asked, comments: mapTexts(asked.comments, hideKnownSecrets) };
  const known = createKnownComments(kept?.knownComments ?? []);
  const missed = takeInListing(known, { snapshot, kept, ownAccount });
  const limits = toPrePlanningLimits(services.readLimits());
  const isUsedUp = () => findExceededLimit(toCostStatistics(meter.read()), limits) !== null;
  const { tools, files, createManager } = kit;
  const managed = await createManager(run, {
    runInbox,
    tools: tools.tools,
    files,
    kept,
    known,
    meter,
    plans: await isPlanned(run.state),
    isUsedUp,
    source: prePlanning.openSource(services.openModels(run)),
  });
  const hearing = { runInbox, signals, known, missed, isUsedUp, shutdown: signal, logger };
  const checkpoint = createPrePlanningCheckpoint(hearing);
  const tell = async (cause: CutShortCause) => {
    if (postsNotices) await postCutShort(run, { config: prePlanning.config, cause });
  };
  const onFailure = () => tell('failure');
  const isInterrupted = await execute(managed, { request, checkpoint, shutdown: signal, logger, onFailure });
  signal.throwIfAborted();
  const interruption = checkpoint.interruption();
  if (isInterrupted && interruption !== 'limit')
    throw new PrePlanningInterrupted(interruption === 'stop' ? 'stop' : 'pause');
  if (isInterrupted) {
    logger.warn(
      toCostStatistics(meter.read()),
      'pre-planning reached its limit; starting with its results so far',
    );
    // Told first: a process that dies in between meets the limit again, and finds what it told.
    await tell('limit');
    await cutShort(managed, run.facts.locale);
  }
  return formatPrePlanningResult(managed.manager, { guard: runInbox.guard, contextLength, hideKnownSecrets });
}

async function cutShort({ manager, keep }: ManagedPrePlanning, locale: Locale): Promise<void> {
  manager.restore(toCutShort(manager.getState(), locale));
  await keep();
}

/** Takes in what people said since an earlier process listened; what a run begins with is what its request is made of. */
function takeInListing(
  known: KnownComments,
  {
    snapshot,
    kept,
    ownAccount,
  }: Pick<PrePlanningKit, 'snapshot' | 'kept'> & { readonly ownAccount: Account },
): readonly SaidChange[] {
  const { complete } = snapshot.listing;
  const comments = snapshot.listing.comments.filter((comment) => !isOwnComment(comment, ownAccount));
  if (kept === null) for (const comment of comments) known.add({ kind: 'added', comment });
  return findMissedChanges(known, { comments, complete });
}

interface Execution extends Pick<PrePlanningCheckpointOptions, 'shutdown' | 'logger'> {
  readonly request: PrePlanningRequest;
  readonly checkpoint: PrePlanningCheckpoint;
  /** Told when it fails before its end. */
  readonly onFailure: () => Promise<void>;
}

/** Answers whether it was interrupted. A failure on the way ends it with what was found out until then. */
async function execute(
  { manager, keep }: ManagedPrePlanning,
  { request, checkpoint, shutdown, logger, onFailure }: Execution,
): Promise<boolean> {
  try {
    const outcome = await manager.execute({ request, checkpoint: checkpoint.pass, signal: shutdown });
    return outcome.status === 'interrupted';
  } catch (error) {
    shutdown.throwIfAborted();
    logger.warn({ err: error }, 'pre-planning failed; starting with its results so far');
    await onFailure();
    return false;
  } finally {
    await keep();
  }
}

/** Share of each limit of a run that pre-planning may use up: what it does is a help, and the steps are the work. */
const share = 1 / 4;

/** Computes what pre-planning may spend. A run of fewer than four steps leaves it none. */
export function toPrePlanningLimits({
  maxSteps,
  maxDurationMs,
  maxTokens,
}: RunLimits): Omit<RunLimits, 'maxToolFailures'> {
  return { maxSteps: cut(maxSteps), maxDurationMs: cut(maxDurationMs), maxTokens: cut(maxTokens) };
}

function cut(limit: number | null | undefined): number | null {
  return typeof limit === 'number' ? Math.floor(limit * share) : null;
}

/** Says that a person paused or stopped a run while it pre-planned: its conversation has not begun. */
export class PrePlanningInterrupted extends Error {
  readonly status: 'needs_input' | 'stopped';

  constructor(signal: 'pause' | 'stop') {
    super(`The run received the command to ${signal} before its first step.`);
    this.name = 'PrePlanningInterrupted';
    this.status = signal === 'pause' ? 'needs_input' : 'stopped';
  }
}
