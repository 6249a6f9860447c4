import type { Locale } from '@agent/text';
import { toConversationLimits } from '@agent/thread-context';
import { createAdmission } from '../admission/admission.ts';
import { createWakeSibling } from '../admission/task-of-draft.ts';
import { toWatchSettings } from '../config/follow-up-settings.ts';
import type { RunSettings } from '../config/run-settings.ts';
import { createOpenCommentTools } from '../conversation/open-comment-tools.ts';
import { createOpenConversation, inheritMarks } from '../conversation/open-conversation.ts';
import { createDeliver } from '../delivery/deliver.ts';
import { createWaitForPermission } from '../delivery/wait-for-permission.ts';
import { createAgentWork } from '../environment/agent-work.ts';
import { createOpenCommands } from '../environment/open-commands.ts';
import { createPrepareCommands } from '../environment/prepare-commands.ts';
import { createAnswerReviews } from '../follow-up/answer-reviews.ts';
import { createFollowUp } from '../follow-up/create-follow-up.ts';
import { openBeside } from '../follow-up/followed-request.ts';
import { countHeld } from '../held/held-record.ts';
import { toListeningClock } from '../inbox/run-inbox-options.ts';
import { createBeginInheritance } from '../inheritance/begin-inheritance.ts';
import { createEnsureFinalSummary } from '../inheritance/ensure-summaries.ts';
import { createInheritanceOfRun } from '../inheritance/inheritance-of-run.ts';
import { createOpenPlanHistory } from '../inheritance/plan-history.ts';
import type { SummarizeRun } from '../inheritance/summarize-run.ts';
import { createDoIntent } from '../intents/do-intent.ts';
import { createActivate, createMakeRun } from '../lifecycle/activate.ts';
import { createAttempt } from '../lifecycle/attempt.ts';
import { type Begin, createBegin } from '../lifecycle/begin.ts';
import { createConclude, createFinishRun } from '../lifecycle/conclude.ts';
import { createConverse } from '../lifecycle/converse.ts';
import { createExecute, type ExecuteRun } from '../lifecycle/execute.ts';
import { createJudgeRun } from '../lifecycle/judge-run.ts';
import { createPause, type TellsInStatus } from '../lifecycle/pause.ts';
import { type BeginRetry, createBeginRetry, createRecover, type RecoverRuns } from '../lifecycle/recover.ts';
import { createResume, type ResumeRun } from '../lifecycle/resume.ts';
import { createShowResting, type ShowResting } from '../lifecycle/show-pause.ts';
import { createWithdraw } from '../lifecycle/withdraw.ts';
import { createOpenRunInbox } from '../listening/open-run-inbox.ts';
import { findContextLength } from '../models/run-models.ts';
import { waitForModel } from '../models/watch-model.ts';
import { createLastLook } from '../outbox/last-look.ts';
import { createPerformEntry } from '../outbox/perform-entry.ts';
import { createSettleRun } from '../outbox/settle-run.ts';
import { isInheritable } from '../past/earlier-runs.ts';
import { createPlanTask } from '../planning/create-plan-task.ts';
import { createPrePlan, prePlanNothing } from '../planning/pre-plan.ts';
import { createOpenProgress } from '../progress/open-progress.ts';
import type { PaidRun } from '../progress/read-vitals.ts';
import { createComposeFinalComment } from '../report/compose-final-comment.ts';
import type { Run } from '../run/run.ts';
import { createClaims } from '../run/run-claim.ts';
import { toSignalChecks } from '../run/signal-checks.ts';
import { type Payer, toPayer } from '../spending/payer.ts';
import { traceExecution } from '../telemetry/trace-execution.ts';
import { toThreadShares } from '../thread/thread-shares.ts';
import { createTaskTools } from '../tools/task-tools.ts';
import type { RunServices } from './run-services.ts';

/** The life of runs: each begins or goes on with one. */
export interface Runs extends RecoverRuns, ShowResting {
  readonly begin: Begin;
  readonly beginRetry: BeginRetry;
  /** Carries a run that was begun to its end. */
  readonly execute: ExecuteRun;
  readonly resume: ResumeRun;
  /** Aborted when the process is asked to end: nothing more is to be begun. */
  readonly shutdown: AbortSignal;
}

/** Puts the steps of a run together. */
export function assembleRuns(services: RunServices): Runs {
  const { settings, store, earlierRuns, prePlanning, readRun, controls, handovers, unanswered, unsettled } =
    services;
  const { snapshots, model, openModels, modelWatch, textWorker, sandbox, environment } = services;
  const { findAgent, secrets, logger, observe, shutdown, sleep, now, monotonicNow } = services;
  const { comment_detection: detection, context_inheritance: inheritance, time_zone: timeZone } = settings;
  const { redactOutgoing, hideKnownSecrets } = secrets;
  const contextLength = findContextLength(model, ['work', 'planning']);
  const shares = toThreadShares({ contextLength, settings });
  const waiting = { sleep, shutdown };
  const stepTimeoutMs = settings.llm.step_timeout_seconds * 1_000;
  const { max_retries: maxRetries } = settings.llm;
  const readLimits = () => toRunLimits(services.readLimits());
  const doIntent = createDoIntent({ controls, now });
  const modelsOf = (run: Pick<Run, 'uuid' | 'facts' | 'thread'>) =>
    openModels(toPayer(run), run.facts.locale);
  const spendingOf = (run: PaidRun) => modelsOf(run).spending;
  const claims = createClaims({
    enabled: settings.status_comment,
    isKnown: async (uuid) => (await services.listKept()).has(uuid),
    timeZone,
    hearsCommands: detection.enabled,
    pausedDays: settings.pause_resume.paused_task_expiry_days,
    doIntent,
    now,
    logger,
  });
  const { currency } = settings.llm;
  const readCost = async (run: PaidRun) => {
    const cost = spendingOf(run)?.read() ?? null;
    return Promise.resolve(cost).catch((err: unknown) => {
      run.logger.warn({ err }, 'failed to read run cost; omitting it from comments');
      return null;
    });
  };
  const makeRun = createMakeRun({
    controls,
    pauseSignal: services.pauseSignal,
    checks: toSignalChecks(settings),
    claims,
    doIntent,
    openProgress: createOpenProgress({
      ...{ settings, readCost, countHeld, redactOutgoing, shutdown, sleep, now, logger },
      doorbell: services.doorbell,
      listWaitingTools: services.listWaitingTools,
      shared: services.sharing?.use,
    }),
    doorbell: services.doorbell,
    reactions: detection.reactions,
    ...{ observe, shutdown, now, logger },
  });
  const activate = createActivate(makeRun);
  const openRunInbox = createOpenRunInbox({
    spending: services.spending,
    settings: detection,
    controls,
    textWorker,
    logLocale: services.logLocale,
    redactSecrets: redactOutgoing,
    assumes: prePlanning !== null,
    approvalPhrases: settings.planning.approval_phrases,
    // An agent of its own is told in words alone.
    pictures: settings.executor === null ? settings.pictures : null,
    ...{ shares, shutdown, now, audit: services.audit },
    clock: toListeningClock({ monotonicNow, sleep }, shutdown),
  });
  // Loaded at the end of a run alone: it brings all that inherits.
  const summarizeRun: SummarizeRun = async (...run) => {
    const { createSummarizeRun } = await import('../inheritance/summarize-run.ts');
    const modelFor = (payer: Payer, locale: Locale) => openModels(payer, locale).summary;
    const summaryWindow = { contextLength: findContextLength(model, ['summary']), shares };
    return createSummarizeRun({ ...summaryWindow, modelFor, maxRetries, redactOutgoing, shutdown, now })(
      ...run,
    );
  };
  const inheritanceOfRun = createInheritanceOfRun({ earlierRuns, readRun });
  const telling = { timeZone, hearsRetry: detection.enabled, redactOutgoing, currency, readCost, now };
  const composeFinalComment = createComposeFinalComment({ ...telling, controls });

  const readOverview = () => services.reader.readOverview({ recent: 200 });
  const { listRunning } = services.reader;
  const { repositories } = services;
  const known = { handovers, repositories, unanswered, listRunning, store, shutdown, now, logger };
  const begin = createBegin({
    admission: createAdmission({ ...known, locale: settings.locale, branchPrefix: settings.branch_prefix }),
    inherit: createBeginInheritance({
      earlierRuns,
      summarizeRun,
      store,
      readRun,
      textWorker,
      stepTimeoutMs,
      botUsername: detection.bot_username,
      now,
      logger,
    }),
    claims,
    wakeSibling: createWakeSibling({ store, listRunning, controls, now, logger }),
    store,
    handovers: {
      forget: async (thread) => {
        await handovers.forget(thread);
        await unanswered.forget(thread);
      },
    },
    activate,
    model: model.description,
    ...{ observe, shutdown },
  });

  const prePlan =
    prePlanning === null
      ? prePlanNothing
      : createPrePlan({
          ...{ prePlanning, openModels: modelsOf, contextLength, shares, readLimits, timeZone },
          ...{ secrets, observe, shutdown, now },
          postsNotices: settings.report.style === 'seed' && !settings.planning.progress_comment.enabled,
        });
  const converse = createConverse({
    model: { openModels: modelsOf, maxRetries, stepTimeoutMs },
    readLimits,
    compression: {
      contextLength,
      compressionThreshold: settings.context_storage.compression_threshold,
      keepRecentMessages: settings.context_storage.keep_recent_messages,
      summaryPrompt: settings.context_storage.summary_prompt ?? undefined,
    },
    openConversation: createOpenConversation({
      ...{ conversation: toConversationLimits(settings.comment_handling), shares },
      ...{ prePlan, prePlans: prePlanning !== null },
      inheritance: inheritanceOfRun,
      ...{ readRun, now },
    }),
    agentWork: createAgentWork({ ...settings, environment, findAgent }),
    planTask: createPlanTask({
      settings: settings.planning,
      openHistory: createOpenPlanHistory({ earlierRuns, readRun }),
      ...{ timeZone, redactOutgoing, observe, now },
    }),
    ...{ plans: services.plans, secrets, observe, shutdown, now },
  });
  const openCommands = createOpenCommands({ settings, sandbox, environment, hideKnownSecrets });
  const longestMs = settings.pause_resume.paused_task_expiry_days * 86_400_000 - 3_600_000;
  const followUp = createFollowUp({
    // Who hears nothing would wait for nothing.
    settings: detection.enabled ? toWatchSettings(settings.follow_up) : null,
    longestMs,
    answerReviews: createAnswerReviews({ doIntent, redactOutgoing, now }),
    watch: { settings: toWatchSettings(settings.follow_up), doIntent, now },
    ...{ composeFinalComment, timeZone, now },
  });
  const attempt = createAttempt({
    followUp,
    openRunInbox: async (run: Run) => {
      await inheritMarks(readRun, run);
      const showHistory = (commentId: string) => inheritanceOfRun.postHistory(run, commentId);
      const onRejected = () => run.progress.changed('phase');
      return openRunInbox(run, { onRejected, ...(earlierRuns === null ? {} : { showHistory }) });
    },
    openListener: async (run, snapshot) => {
      const beside = openBeside(run);
      const heard = { ...run, thread: { ...run.thread, ...beside } };
      const { begin, runCommands } = await openRunInbox(heard, { onlyListens: true });
      if (snapshot !== null) await begin(snapshot.listing);
      return { runCommands, close: beside.comments.close };
    },
    prepareCommands: createPrepareCommands({ openCommands, redactOutgoing }),
    openCommentTools: createOpenCommentTools(shares),
    openTools: createTaskTools({
      ...{ textWorker, mcpTools: services.mcpTools, hideKnownSecrets },
      ...settings.tools,
    }),
    waitForModel: (run) => waitForModel({ watch: modelWatch, sleep }, run),
    deliver: createDeliver({
      ...{ ...waiting, doIntent, redactOutgoing, observe },
      waitForPermission: createWaitForPermission({ longestMs, composeFinalComment, now }),
    }),
    judge: createJudgeRun({ hasAgent: settings.executor !== null }),
    ...{ converse, doIntent, redactOutgoing, snapshots, shutdown },
  });

  const lastLook = createLastLook({ isEnabled: detection.enabled, openRunInbox, handovers, unanswered });
  const perform = createPerformEntry({ lastLook, readOverview, snapshots, shutdown });
  const settle = createSettleRun({ perform, controls, now });
  const ends = { store, controls, settle, unsettled, ...waiting };
  const finish = createFinishRun(ends);
  const conclude = createConclude({
    controls,
    ensureFinalSummary: createEnsureFinalSummary({
      ...{ summarizeRun, inheritance: inheritanceOfRun },
      isInheritable: (status) => isInheritable(status, inheritance),
      textWorker,
      stepTimeoutMs,
      observe,
      shutdown,
    }),
    composeFinalComment,
    finish,
  });
  const isSingle = settings.report.style === 'single';
  const tellsInStatus: TellsInStatus = ({ claim }) => isSingle && claim.isKept;
  const pause = createPause({ ...ends, composeFinalComment, tellsInStatus, audit: services.audit });
  const steps = { attempt, pause, followUp, conclude, withdraw: createWithdraw(finish) };
  const outages = { giveUpModel: modelWatch.giveUp, spendingOf };
  const carry = createExecute({ ...steps, outages, observe, sleep, shutdown });
  const execute = traceExecution(carry, services.telemetry);

  return {
    begin,
    beginRetry: createBeginRetry({ readRun, handovers, controls, begin, logger }),
    execute,
    resume: createResume({
      ...{ store, controls, handovers, unsettled, activate, execute },
      ...{ followUp, tellsInStatus, shutdown, logger },
    }),
    ...createShowResting({ store, makeRun, settle, unsettled, readRun, shutdown }),
    ...createRecover({ store, activate, execute, finish, pause, shutdown }),
    shutdown,
  };
}

function toRunLimits(limits: RunSettings['limits']) {
  return {
    maxSteps: limits.max_steps,
    maxDurationMs: limits.max_duration_minutes * 60_000,
    maxTokens: limits.max_tokens,
    maxToolFailures: limits.max_tool_failures,
    maxCallsPerAnswer: limits.max_calls_per_answer,
    maxSameCalls: limits.max_same_calls,
  };
}
