import type { PrePlanningManager, PrePlanningOptions } from '@agent/pre-planning';
import type { RunSignals, RunTools } from '@agent/runner';
import { formatEnvelopeInstruction } from '@agent/thread-context';
import { isOwnComment } from '../comments/is-own-comment.ts';
import type { RunEars } from '../comments/run-ears.ts';
import type { ActiveRun, RunParts } from '../task/run-parts.ts';
import type { Snapshot } from '../task/snapshot.ts';
import { createPrePlanningCheckpoint } from './create-pre-planning-checkpoint.ts';
import type { PrePlanning } from './open-pre-planning.ts';
import { postNotice } from './post-notice.ts';
import { createPrePlanningFiles, type PrePlanningFiles } from './pre-planning-files.ts';
import { PreparationInterrupted } from './preparation-interrupted.ts';
import { toPrePlanningRequest } from './to-pre-planning-request.ts';

export interface GettingReady {
  readonly snapshot: Snapshot;
  readonly ears: RunEars;
  /** Those that only read are used. */
  readonly tools: RunTools;
  readonly signals: RunSignals;
}

/**
 * Understands, collects and assumes before the first step of a run, from wherever an earlier process left that, and
 * says what its instructions are told of it; empty where that is not configured. What fails costs the run what was
 * not found out, never itself. @see seed 004 §2
 *
 * @throws PreparationInterrupted when a person pauses or stops the run meanwhile; the reason of a shutdown
 */
export async function getReady(parts: RunParts, run: ActiveRun, ready: GettingReady): Promise<string> {
  if (parts.prePlanning === null) return '';
  try {
    const foundOut = await carryOut(parts, run, { ...ready, prePlanning: parts.prePlanning });
    await ready.ears.rejections.load();
    return foundOut;
  } catch (error) {
    parts.shutdown.throwIfAborted();
    if (error instanceof PreparationInterrupted) throw error;
    run.logger.warn({ err: error }, 'the run could not get ready; it begins without that');
    return '';
  }
}

interface ConfiguredReady extends GettingReady {
  readonly prePlanning: PrePlanning;
}

async function carryOut(parts: RunParts, run: ActiveRun, ready: ConfiguredReady): Promise<string> {
  const { snapshot, ears, signals } = ready;
  const { shutdown } = parts;
  const files = createPrePlanningFiles(run.directory, run.logger);
  const kept = await files.read();
  const { comments } = snapshot.listing;
  const known = new Set(kept?.knownComments ?? comments.map(({ id }) => id));
  const ownAccount = await run.platform.platform.identity.whoAmI({ signal: shutdown });
  const reader = { guard: ears.guard, ownAccount, signal: shutdown };
  const request = await toPrePlanningRequest(snapshot, reader);
  const manager = await createManager(parts, run, { ...ready, files, known });
  const missed = comments.filter((comment) => !isOwnComment(comment, ownAccount));
  const checkpoint = createPrePlanningCheckpoint({ ...run, ears, signals, known, missed, shutdown });
  const state = kept?.state ?? null;
  try {
    const outcome = await manager.execute({ request, state, checkpoint: checkpoint.pass, signal: shutdown });
    if (outcome.status !== 'interrupted') return await compose(parts, ears, manager);
  } catch (error) {
    shutdown.throwIfAborted();
    run.logger.warn({ err: error }, 'the run could not get ready to the end; it begins with what it found');
    return await compose(parts, ears, manager);
  }
  shutdown.throwIfAborted();
  throw new PreparationInterrupted(checkpoint.signal() === 'stop' ? 'stop' : 'pause');
}

interface ManagerParts extends ConfiguredReady {
  readonly files: PrePlanningFiles;
  readonly known: ReadonlySet<string>;
}

async function createManager(
  parts: RunParts,
  run: ActiveRun,
  { prePlanning, ears, tools, files, known }: ManagerParts,
): Promise<PrePlanningManager> {
  const library = await import('@agent/pre-planning');
  const { guard } = ears;
  const envelopes = formatEnvelopeInstruction(guard.nonce);
  const options: PrePlanningOptions = {
    ...library.toPrePlanningOptions(prePlanning.config),
    locale: run.facts.locale,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    maxPromptChars: Math.max(1_000, Math.min(60_000, parts.model.description.contextLength)),
    wrap: (text, { what, author, isTrusted }) =>
      `${what}:\n${guard.wrap(guard.clean(text), { author, authority: isTrusted ? 'trusted' : 'untrusted' })}`,
    redact: parts.redact,
    details: files.details,
    saveState: (state) => files.save({ knownComments: [...known], state }),
    onEvent: (event) => {
      run.logger.info({ event: event.type }, 'getting ready');
      return postNotice(parts, run, { event, comments: manager.getState().understood_comments });
    },
    logger: run.logger,
    now: () => new Date(parts.now()),
  };
  const manager = new library.PrePlanningManager(
    {
      source: {
        ask: (question) =>
          prePlanning.source.ask({ ...question, instructions: `${question.instructions}\n\n${envelopes}` }),
      },
      tools: library.createReadOnlyTools(tools),
    },
    options,
  );
  return manager;
}

/** What it found out may hold words of anybody: it stands in an envelope, as information. */
async function compose(
  { model, redact }: RunParts,
  { guard }: Pick<RunEars, 'guard'>,
  manager: PrePlanningManager,
): Promise<string> {
  if (manager.getState().understanding_result === null) return '';
  const { formatPlanningBlock } = await import('@agent/pre-planning');
  const budget = Math.min(24_000, Math.floor(model.description.contextLength / 4));
  const { pre_planning_result: result } = manager.getResult();
  const block = formatPlanningBlock(result, {
    maxChars: budget,
    wrap: (text, { what }) => `--- ${what} ---\n${text}\n--- end of ${what} ---`,
  });
  const fitted = block.length > 2 * budget ? `${block.slice(0, 2 * budget).toWellFormed()}…` : block;
  return guard.wrap(guard.clean(redact(fitted)), { author: null, authority: 'untrusted' });
}
