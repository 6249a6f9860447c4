import type { Account } from '@agent/platforms';
import type { PrePlanningRequest } from '@agent/pre-planning';
import { findExceededLimit, type OpenedConversation, type RunSignals, type RunTools } from '@agent/runner';
import { isOwnComment } from '../inbox/is-own-comment.ts';
import type { RunInbox } from '../inbox/run-inbox.ts';
import type { ActiveRun, RunParts } from '../run/run.ts';
import type { Snapshot } from '../run/snapshot.ts';
import {
  createPrePlanningCheckpoint,
  type PrePlanningCheckpoint,
  type PrePlanningCheckpointOptions,
} from './checkpoint.ts';
import { type CostMeter, createCostMeter } from './create-cost-meter.ts';
import {
  createKnownComments,
  findMissedChanges,
  type KnownComments,
  type SaidChange,
} from './known-comments.ts';
import { createPrePlanningManager, type Preparation } from './manager.ts';
import { mapTexts } from './map-texts.ts';
import type { PrePlanning } from './open-pre-planning.ts';
import { noCost, toCostStatistics } from './pre-planning-cost.ts';
import {
  createPrePlanningFiles,
  type KeptPrePlanning,
  type PrePlanningFiles,
  readKeptPrePlanning,
} from './pre-planning-files.ts';
import { PrePlanningInterrupted } from './preparation-interrupted.ts';
import { type CutShortCause, postCutShort } from './tell-ended-early.ts';
import { formatPrePlanningResult } from './tell-found-out.ts';
import { toCutShort } from './to-ended-early.ts';
import { toPrePlanningRequest } from './to-pre-planning-request.ts';
import { toPrePlanningLimits } from './to-preparation-limits.ts';

export interface PrePlanningStart {
  readonly snapshot: Snapshot;
  readonly ears: RunInbox;
  /** Those that only read are used. */
  readonly tools: RunTools;
  readonly signals: RunSignals;
}

/** What a conversation is opened with. */
export interface PrePlannedRun extends Pick<OpenedConversation, 'spent' | 'earlierMs'> {
  /** What the instructions are told of it; empty for nothing. */
  readonly foundOut: string;
}

/**
 * Understands, collects and assumes before the first step of a run, from wherever an earlier process left that. What
 * fails costs the run what was not found out, never itself; so does its share of a limit, once that is used up.
 * @see seed 004 §2
 *
 * @throws PrePlanningInterrupted when a person pauses or stops the run meanwhile; the reason of a shutdown
 */
export async function prePlan(
  parts: RunParts,
  run: ActiveRun,
  ready: PrePlanningStart,
): Promise<PrePlannedRun> {
  if (parts.prePlanning === null) return { foundOut: '' };
  const { uuid, logger } = run;
  const files = createPrePlanningFiles(run.state);
  const kept = await readKeptPrePlanning(run.state, logger);
  const earlier = kept?.cost ?? noCost;
  const meter = createCostMeter(earlier, parts);
  let foundOut = '';
  try {
    const kit = { ...ready, prePlanning: parts.prePlanning, files, kept, meter };
    foundOut = await carryOut(parts, run, kit);
  } catch (error) {
    parts.shutdown.throwIfAborted();
    if (error instanceof PrePlanningInterrupted) throw error;
    logger.warn({ err: error }, 'the run could not get ready; it begins without that');
  } finally {
    ready.ears.rejections.follow(null);
    parts.observe({ type: 'preparation', uuid, stage: null });
  }
  return { foundOut, spent: toSpent(meter), earlierMs: earlier.activeMs };
}

function toSpent(meter: CostMeter): PrePlannedRun['spent'] {
  const { durationMs: _, ...spent } = toCostStatistics(meter.read());
  return spent;
}

interface PreparationKit extends PrePlanningStart {
  readonly prePlanning: PrePlanning;
  readonly files: PrePlanningFiles;
  readonly kept: KeptPrePlanning | null;
  readonly meter: CostMeter;
}

async function carryOut(parts: RunParts, run: ActiveRun, kit: PreparationKit): Promise<string> {
  const { snapshot, ears, signals, kept, meter, prePlanning } = kit;
  const { shutdown } = parts;
  const ownAccount = await run.platform.platform.identity.whoAmI({ signal: shutdown });
  const asked = await toPrePlanningRequest(snapshot, { guard: ears.guard, ownAccount, signal: shutdown });
  // As the state keeps them, so that a comment which it was told of is known to be the same.
  const request = { ...asked, comments: mapTexts(asked.comments, parts.hideKnownSecrets) };
  const known = createKnownComments(kept?.knownComments ?? []);
  const missed = takeInListing(known, { ...kit, ownAccount });
  const limits = toPrePlanningLimits(parts.config.limits);
  const isUsedUp = () => findExceededLimit(toCostStatistics(meter.read()), limits) !== null;
  const preparation = await createPrePlanningManager(parts, run, { ...kit, known, isUsedUp });
  const { logger } = run;
  const hearing = { ears, signals, known, missed, isUsedUp, shutdown, logger };
  const checkpoint = createPrePlanningCheckpoint(hearing);
  const tell = (cause: CutShortCause) => postCutShort(run, { config: prePlanning.config, cause });
  const onFailure = () => tell('failure');
  const isInterrupted = await execute(preparation, { request, checkpoint, shutdown, logger, onFailure });
  shutdown.throwIfAborted();
  const interruption = checkpoint.interruption();
  if (isInterrupted && interruption !== 'limit')
    throw new PrePlanningInterrupted(interruption === 'stop' ? 'stop' : 'pause');
  if (isInterrupted) {
    logger.warn(
      toCostStatistics(meter.read()),
      'getting ready used up its share; the run begins with what it found',
    );
    // Told first: a process that dies in between meets the limit again, and finds what it told.
    await tell('limit');
    await endEarly(preparation, run);
  }
  return formatPrePlanningResult(parts, ears, preparation.manager);
}

async function endEarly({ manager, keep }: Preparation, { facts }: ActiveRun): Promise<void> {
  manager.restore(toCutShort(manager.getState(), facts.locale));
  await keep();
}

/** What people said since an earlier process listened; what a run begins with is what its request is made of. */
function takeInListing(
  known: KnownComments,
  { snapshot, kept, ownAccount }: PreparationKit & { readonly ownAccount: Account },
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

/** Whether it was interrupted. What fails on the way ends it with what was found out until then. */
async function execute(
  { manager, keep }: Preparation,
  { request, checkpoint, shutdown, logger, onFailure }: Execution,
): Promise<boolean> {
  try {
    const outcome = await manager.execute({ request, checkpoint: checkpoint.pass, signal: shutdown });
    return outcome.status === 'interrupted';
  } catch (error) {
    shutdown.throwIfAborted();
    logger.warn({ err: error }, 'the run could not get ready to the end; it begins with what it found');
    await onFailure();
    return false;
  } finally {
    await keep();
  }
}
