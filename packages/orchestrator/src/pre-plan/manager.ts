import type {
  AnswerSource,
  PrePlanningManager,
  PrePlanningOptions,
  PrePlanningState,
} from '@agent/pre-planning';
import type { RunEvent, RunTools } from '@agent/runner';
import { formatEnvelopeInstruction } from '@agent/text';
import type { SecretFilters } from '@agent/text/outgoing';
import type { ObserveBoard } from '../board/board-event.ts';
import type { RunInbox } from '../inbox/run-inbox.ts';
import { reportToolEnd } from '../run/report-run-event.ts';
import type { Run } from '../run/run.ts';
import { createShowRequestComments } from '../thread/show-request-comments.ts';
import type { ThreadShares } from '../thread/thread-shares.ts';
import type { KnownComments } from './known-comments.ts';
import { type CostMeter, meterQuestions, meterTools } from './metering.ts';
import { encloseText, type NoticedRun, postNotice, toEventFields, toPrePlanningStage } from './notices.ts';
import type { PrePlanning } from './open-pre-planning.ts';
import { type KeptPrePlanning, type PrePlanningFiles, redactState } from './pre-planning-files.ts';

/** In place of the number of a step, in the log. */
const phase = 'pre-planning';

/** With what one run pre-plans. */
export interface ManagedParts {
  /** Asks the models of the run. */
  readonly source: AnswerSource;
  readonly ears: Pick<RunInbox, 'guard' | 'rejections'>;
  readonly tools: RunTools;
  readonly files: PrePlanningFiles;
  readonly kept: KeptPrePlanning | null;
  readonly known: KnownComments;
  readonly meter: CostMeter;
  /** Tells whether nothing more may be spent. */
  readonly isUsedUp: () => boolean;
}

/** A run, as far as pre-planning tells of it. */
export interface ManagedRun extends Pick<Run, 'uuid' | 'progress' | 'logger'> {
  readonly facts: Pick<Run['facts'], 'locale'>;
  readonly thread: NoticedRun['thread'];
}

export interface ManagedPrePlanning {
  readonly manager: PrePlanningManager;
  /** Keeps how far it came and what it has cost. Never rejects. */
  readonly keep: () => Promise<void>;
}

/** Makes the library's manager for one run, as far as an earlier process came: counted, kept, shown and told. */
export type CreateManager = (run: ManagedRun, parts: ManagedParts) => Promise<ManagedPrePlanning>;

export interface ManagerServices {
  readonly prePlanning: PrePlanning;
  /** True where each thing is told by a comment of its own; else the one of the run shows it. */
  readonly postsNotices: boolean;
  /** Size of the model's window, in tokens. */
  readonly contextLength: number;
  readonly shares: ThreadShares;
  readonly timeZone: string;
  readonly secrets: SecretFilters;
  readonly observe: ObserveBoard;
  readonly now: () => number;
}

/** Creates it. */
export function createManagers(services: ManagerServices): CreateManager {
  const { prePlanning, postsNotices, secrets, observe, now } = services;
  return async (run, { ears, tools, files, kept, known, meter, isUsedUp, source }) => {
    const library = await import('@agent/pre-planning');
    const { uuid, logger } = run;
    const save = (state: PrePlanningState) => {
      // Other items are saved while a comment is on its way to the phase.
      const knownComments = known.list(state.new_comments.length - toldBefore);
      return files.save({
        knownComments,
        cost: meter.read(),
        state: redactState(state, secrets.hideKnownSecrets),
      });
    };
    const keep = () =>
      save(manager.getState()).catch((error: unknown) =>
        logger.warn({ err: error }, 'failed to save pre-planning cost'),
      );
    let shown: PrePlanningState['current_subphase'] | null = null;
    const showState = async ({ current_subphase: subphase }: PrePlanningState): Promise<void> => {
      const isNext = subphase !== shown;
      shown = subphase;
      if (isNext) await run.progress.changed('phase');
      else void run.progress.changed('step');
    };
    const onEvent = (event: RunEvent) => observe({ type: 'run-event', uuid, event });
    const onToolEvent = (event: RunEvent): void => {
      onEvent(event);
      if (event.type === 'tool-end') reportToolEnd(logger, event, { phase });
    };
    const asking = { meter, isUsedUp, onEvent, logger: logger.child({ phase }), keep };
    const metered = meterTools(tools, { meter, onEvent: onToolEvent, now });
    const manager = new library.PrePlanningManager(
      {
        source: meterQuestions(source, asking),
        tools: library.createReadOnlyTools(metered, { logger }),
      },
      {
        ...library.toPrePlanningOptions(prePlanning.config),
        ...describeRun(services, run, ears),
        details: files.details,
        saveState: async (state) => {
          ears.rejections.learn(state);
          observe({ type: 'preparation', uuid, stage: toPrePlanningStage(state) });
          await save(state);
          await showState(state);
        },
        onEvent: async (event) => {
          logger.info(toEventFields(event), 'pre-planning event');
          if (!postsNotices) return;
          const { redactOutgoing } = secrets;
          const { understood_comments: comments } = manager.getState();
          await postNotice(run, { event, comments, redactOutgoing });
        },
      },
    );
    manager.restore(kept?.state ?? null);
    const toldBefore = manager.getState().new_comments.length;
    ears.rejections.follow(manager);
    observe({ type: 'preparation', uuid, stage: toPrePlanningStage(manager.getState()) });
    return { manager, keep };
  };
}

function describeRun(
  { contextLength, shares, timeZone, secrets, now }: ManagerServices,
  { facts, logger }: ManagedRun,
  { guard }: ManagedParts['ears'],
): PrePlanningOptions {
  return {
    secretFilters: secrets,
    locale: facts.locale,
    timeZone,
    // No run plans yet.
    next: 'work',
    maxPromptChars: Math.max(2_000, Math.min(60_000, Math.floor(contextLength / 2))),
    showComments: createShowRequestComments({ shares, wrap: encloseText(guard) }),
    wrap: encloseText(guard),
    wrapInstruction: formatEnvelopeInstruction(guard.nonce),
    logger,
    now: () => new Date(now()),
  };
}
