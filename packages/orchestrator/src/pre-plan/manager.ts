import type { PrePlanningManager, PrePlanningOptions, PrePlanningState } from '@agent/pre-planning';
import type { RunEvent, RunTools } from '@agent/runner';
import { formatEnvelopeInstruction } from '@agent/text';
import type { RunInbox } from '../inbox/run-inbox.ts';
import { reportToolEnd } from '../run/report-run-event.ts';
import type { ActiveRun, RunParts } from '../run/run.ts';
import type { CostMeter } from './create-cost-meter.ts';
import { encloseText } from './enclose-text.ts';
import type { KnownComments } from './known-comments.ts';
import { meterQuestions } from './meter-questions.ts';
import { meterTools } from './meter-tools.ts';
import type { PrePlanning } from './open-pre-planning.ts';
import { postNotice } from './post-notice.ts';
import type { KeptPrePlanning, PrePlanningFiles } from './pre-planning-files.ts';
import { redactState } from './redact-state.ts';
import { toEventFields } from './to-event-fields.ts';
import { toPrePlanningStage } from './to-preparation-stage.ts';

/** In place of the number of a step, in the log. */
const phase = 'getting ready';

/** With what a run gets ready. */
export interface PrePlanningParts {
  readonly prePlanning: PrePlanning;
  readonly ears: Pick<RunInbox, 'guard' | 'rejections'>;
  readonly tools: RunTools;
  readonly files: PrePlanningFiles;
  readonly kept: KeptPrePlanning | null;
  readonly known: KnownComments;
  readonly meter: CostMeter;
  /** Whether nothing more may be spent. */
  readonly isUsedUp: () => boolean;
}

export interface Preparation {
  readonly manager: PrePlanningManager;
  /** Keeps how far it came and what it has cost. Never rejects. */
  readonly keep: () => Promise<void>;
}

/** The library's manager for one run, as far as an earlier process came: counted, kept, shown and told. */
export async function createPrePlanningManager(
  parts: RunParts,
  run: ActiveRun,
  preparation: PrePlanningParts,
): Promise<Preparation> {
  const { prePlanning, ears, tools, files, kept, known, meter, isUsedUp } = preparation;
  const library = await import('@agent/pre-planning');
  const { uuid, logger } = run;
  const save = (state: PrePlanningState) => {
    // Other items are saved while a comment is on its way to the phase.
    const knownComments = known.list(state.new_comments.length - toldBefore);
    return files.save({
      knownComments,
      cost: meter.read(),
      state: redactState(state, parts.hideKnownSecrets),
    });
  };
  const keep = () =>
    save(manager.getState()).catch((error: unknown) =>
      logger.warn({ err: error }, 'what getting ready has cost could not be kept'),
    );
  const onEvent = (event: RunEvent) => parts.observe({ type: 'run-event', uuid, event });
  const onToolEvent = (event: RunEvent): void => {
    onEvent(event);
    if (event.type === 'tool-end') reportToolEnd(logger, event, { phase });
  };
  const source = meterQuestions(prePlanning.source, {
    meter,
    isUsedUp,
    onEvent,
    logger: logger.child({ phase }),
    keep,
  });
  const metered = library.createReadOnlyTools(
    meterTools(tools, { meter, onEvent: onToolEvent, now: parts.now }),
    { logger },
  );
  const manager = new library.PrePlanningManager(
    { source, tools: metered },
    {
      ...library.toPrePlanningOptions(prePlanning.config),
      ...describeRun(parts, run, ears),
      details: files.details,
      saveState: async (state) => {
        ears.rejections.learn(state);
        parts.observe({ type: 'preparation', uuid, stage: toPrePlanningStage(state) });
        await save(state);
      },
      onEvent: (event) => {
        logger.info(toEventFields(event), 'getting ready');
        return postNotice(parts, run, { event, comments: manager.getState().understood_comments });
      },
    },
  );
  manager.restore(kept?.state ?? null);
  const toldBefore = manager.getState().new_comments.length;
  ears.rejections.follow(manager);
  parts.observe({ type: 'preparation', uuid, stage: toPrePlanningStage(manager.getState()) });
  return { manager, keep };
}

function describeRun(
  { config, model, hideKnownSecrets, redactOutgoing, now }: RunParts,
  { facts, logger }: ActiveRun,
  { guard }: PrePlanningParts['ears'],
): PrePlanningOptions {
  return {
    locale: facts.locale,
    timeZone: config.time_zone,
    // No run plans yet.
    next: 'work',
    maxPromptChars: Math.max(2_000, Math.min(60_000, Math.floor(model.description.contextLength / 2))),
    wrap: encloseText(guard),
    wrapInstruction: formatEnvelopeInstruction(guard.nonce),
    hideKnownSecrets,
    redactOutgoing,
    logger,
    now: () => new Date(now()),
  };
}
