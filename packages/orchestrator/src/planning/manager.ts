import type {
  AnswerSource,
  PrePlanningManager,
  PrePlanningOptions,
  PrePlanningState,
  RequestComment,
  ShowComments,
  WrapText,
} from '@agent/pre-planning';
import type { RunEvent, RunTools } from '@agent/runner';
import { formatEnvelopeInstruction, mapTexts } from '@agent/text';
import type { SecretFilters } from '@agent/text/outgoing';
import { fitComments, type OlderComments, type ShownComment } from '@agent/thread-context';
import type { ObserveBoard } from '../board/board-event.ts';
import type { RunInbox } from '../inbox/run-inbox.ts';
import type { KnownComments } from '../plan/known-comments.ts';
import { type CostMeter, meterQuestions, meterTools } from '../plan/metering.ts';
import { type KeptPrePlanning, type PrePlanningFiles, redactState } from '../plan/pre-planning-files.ts';
import { reportToolEnd } from '../run/report-run-event.ts';
import type { Run } from '../run/run.ts';
import { formatShortened, type ThreadShares, untrustedShare } from '../thread/thread-shares.ts';
import { encloseText, type NoticedRun, postNotice, toEventFields, toPrePlanningStage } from './notices.ts';
import type { PrePlanning } from './open-pre-planning.ts';

/** In place of the number of a step, in the log. */
const phase = 'pre-planning';

/** With what one run pre-plans. */
export interface ManagedParts {
  /** Asks the models of the run. */
  readonly source: AnswerSource;
  readonly runInbox: Pick<RunInbox, 'guard' | 'rejections'>;
  readonly tools: RunTools;
  readonly files: PrePlanningFiles;
  readonly kept: KeptPrePlanning | null;
  readonly known: KnownComments;
  readonly meter: CostMeter;
  /** True if a plan follows, false if the run begins to work. */
  readonly plans: boolean;
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
  readonly shares: ThreadShares;
  readonly timeZone: string;
  readonly secrets: SecretFilters;
  readonly observe: ObserveBoard;
  readonly now: () => number;
}

/** Creates it. */
export function createManagers(services: ManagerServices): CreateManager {
  const { prePlanning, postsNotices, shares, secrets, observe, now } = services;
  return async (run, { runInbox, tools, files, kept, known, meter, plans, isUsedUp, source }) => {
    const library = await import('@agent/pre-planning');
    const { uuid, logger } = run;
    const save = (state: PrePlanningState) => {
      // Other items are saved while a comment is on its way to the phase.
      const knownComments = known.list(state.new_comments.length - toldBefore);
      return files.save({
        knownComments,
        cost: meter.read(),
        state: redactState(state, secrets.redactOutgoing),
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
        showComments: createShowRequestComments({ shares, wrap: encloseText(runInbox.guard) }),
      },
      {
        ...library.toPrePlanningOptions(prePlanning.config),
        ...describeRun(services, run, { runInbox, plans }),
        details: {
          save: (id, details) => files.details.save(id, mapTexts(details, secrets.redactOutgoing)),
        },
        saveState: async (state) => {
          runInbox.rejections.learn(state);
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
    runInbox.rejections.follow(manager);
    observe({ type: 'preparation', uuid, stage: toPrePlanningStage(manager.getState()) });
    return { manager, keep };
  };
}

function describeRun(
  { timeZone, secrets, now }: ManagerServices,
  { facts, logger }: ManagedRun,
  { runInbox: { guard }, plans }: Pick<ManagedParts, 'runInbox' | 'plans'>,
): PrePlanningOptions {
  return {
    secretFilters: secrets,
    locale: facts.locale,
    timeZone,
    next: plans ? 'planning' : 'work',
    wrap: encloseText(guard),
    wrapInstruction: formatEnvelopeInstruction(guard.nonce),
    logger,
    now: () => new Date(now()),
  };
}

export interface ShowRequestCommentsOptions {
  readonly shares: Omit<ThreadShares, 'batch' | 'result'>;
  readonly wrap: WrapText;
}

/** Creates what shows the comments of a request in the prompts of pre-planning, within the thread's budget. */
export function createShowRequestComments({ shares, wrap }: ShowRequestCommentsOptions): ShowComments {
  const formatOne = ({ item, text, isShortened }: ShownComment<RequestComment>): string => {
    const { author, createdAt, body, isTrusted } = item;
    const shown = wrap(text, { what: `comment of ${createdAt}`, author, isTrusted });
    if (!isShortened) return shown;
    // What stands before the comment's own text is shorter than that; some of it is read twice.
    const offset = Math.max(0, text.length - 200);
    const size = { id: item.id ?? '', shown: text.length, total: body.length, offset };
    const { readTool } = shares;
    return `${shown}\n${formatShortened(size, { readTool: item.id === undefined ? undefined : readTool })}`;
  };
  const formatOlder = ({ listed, counted }: OlderComments<RequestComment>): string => {
    if (listed.length === 0 && counted === null) return '';
    const lines = listed.map(
      ({ item: { id, author, createdAt }, firstLine }) =>
        `- ${id === undefined ? '' : `(id ${id}) `}@${author}, ${createdAt}: ${firstLine}`,
    );
    const list = wrap(lines.join('\n'), {
      what: 'first lines of older comments',
      author: null,
      isTrusted: false,
    });
    return [
      `Not all comments are shown.${shares.readTool === undefined ? '' : ` The tool \`${shares.readTool}\` reads them, by id or by number.`}`,
      ...(counted === null ? [] : [`${counted.count} older comments are not listed.`]),
      ...(lines.length === 0 ? [] : [list]),
    ].join('\n');
  };
  return (comments) => {
    const fitted = fitComments(comments, {
      maxTokens: shares.thread,
      textOf: ({ body }) => body,
      formatShown: (shown) => `${formatOne(shown)}\n\n`,
      formatOlder: (older) => `${formatOlder(older)}\n\n`,
      isTrusted: ({ isTrusted }) => isTrusted,
      untrustedShare,
      maxCommentTokens: shares.comment,
      maxShown: shares.maxShown,
    });
    const older = formatOlder(fitted);
    return [...(older === '' ? [] : [older]), ...fitted.shown.map(formatOne)];
  };
}
