import { fitStart, toErrorMessage } from '@agent/text';
import { checkOptions } from '@agent/text/options';
import { awaitModel } from './await-model.ts';
import { sleepBySystem } from './call-limits.ts';
import { Conversation, JournalFailure, journaled } from './conversation.ts';
import type { RunEnding } from './ending.ts';
import { finish, isWrappingUp, iterate, type TakeTurn, takeTurn } from './iterate.ts';
import { ModelCircuit } from './model-circuit.ts';
import { openAIOptions } from './models/openai-options.ts';
import { answerInterruptedCalls, writeOpening } from './open-loop.ts';
import { readEntries, replayJournal, type WorkLine } from './replay-journal.ts';
import { findInterruption, type Run, readingLimits, toEmitter, toRunTools } from './run.ts';
import { type RunResult, type RunTaskOptions, requiredOfRuns, runExpectations } from './run-options.ts';
import { findCommand } from './run-signals.ts';
import { Tally } from './tally.ts';
import { TextCallReader } from './text-tools/read-text-calls.ts';
import { type RunTexts, runTexts } from './texts.ts';
import { ContextWindow } from './window/context-window.ts';
import { countToolTokens } from './window/count-tokens.ts';
import { createReadOutputTool, readOutputName } from './window/read-output-tool.ts';

/**
 * Runs one task from the first message to the final answer, one model step at a time, with a checkpoint between
 * the steps. Called again with the same journal it goes on where it was left, by a shutdown or a crash.
 *
 * It ends a run but does not commit the end: the caller delivers the results first, then calls `journal.finish`.
 * @throws what `openConversation` rejects with, and a `TypeError` that names an option which is missing, unknown or
 *   invalid: nothing has happened then
 *
 * @example
 * const result = await runTask({ model, tools: { count }, journal: createMemoryRunJournal(), openConversation });
 * if (result.kind === 'ended') console.log(result.outcome.status);
 */
export const runTask: (options: RunTaskOptions) => Promise<RunResult> = toCarrier({
  work: (run) => workToEnd(run, takeTurn),
});

/** Work of a run whose conversation is open. */
export interface RunWork {
  readonly work: (run: Run) => Promise<RunEnding>;
  /** Hears of each line of the run's own work, also of those that are read back. */
  readonly onLine?: ((line: WorkLine) => void) | undefined;
}

/** Gives what opens a run, or takes it up where its journal ends, and has it worked on; its failures are results. */
export function toCarrier({ work, onLine }: RunWork): (options: RunTaskOptions) => Promise<RunResult> {
  return async (options) => {
    checkOptions('RunTaskOptions', options, runExpectations, requiredOfRuns);
    const {
      model,
      planningModel = model,
      tools,
      journal,
      openConversation,
      signals = null,
      comments = null,
      availability,
      compressor = null,
      contextLength,
      limits = {},
      gauge = null,
      limitNames: names,
      maxCallsPerAnswer = 64,
      maxSameCalls = 10,
      maxAnswerChars = 1_000_000,
      maxRetries = 2,
      stepTimeoutMs = 600_000,
      toolTimeoutMs = 1_800_000,
      toolResultToText,
      maxToolOutputChars = 1_000_000,
      finishRounds = { rounds: 0 },
      providerOptions = openAIOptions,
      hideKnownSecrets = (text) => text,
      redactSecrets = hideKnownSecrets,
      onEvent,
      signal,
      hardSignal,
      locale = 'en',
      now = Date.now,
      sleep = sleepBySystem,
      logger = null,
    } = options;
    const readLimits = readingLimits(limits);
    const tally = new Tally(now);
    const settings = {
      journal,
      locale,
      texts: runTexts(locale),
      hideKnownSecrets,
      redactSecrets,
      now,
      sleep,
      logger,
    };
    try {
      const replayed = replayJournal(await journaled(readEntries(journal)));
      const window = compressor?.window ?? new ContextWindow({ contextLength, logger });
      if (replayed?.window) window.restore(replayed.window);
      const given = toRunTools(tools, toolResultToText);
      // Nothing is long without tools, and a tool with this name reads something else.
      window.hasHandles = Object.keys(given).length > 0 && !Object.hasOwn(given, readOutputName);
      const own = window.hasHandles
        ? { ...given, [readOutputName]: createReadOutputTool({ journal }) }
        : given;
      window.readers = new Set(Object.keys(own).filter((name) => own[name]?.readOnly));
      const run: Run = {
        window,
        conversation: new Conversation({ journal, tally, hideKnownSecrets, redactSecrets, onLine }, replayed),
        tally,
        emit: toEmitter(onEvent, { logger }),
        requests: {
          ...(availability
            ? { model, planningModel, availability }
            : waitByItself({ model, planningModel, now, sleep })),
          textCalls: new TextCallReader(journal),
          lastFailure: { reason: null },
          providerOptions,
          maxRetries,
          stepTimeoutMs,
          maxAnswerChars,
          maxCallsPerAnswer,
        },
        calls: {
          tools: own,
          toolTokens: await countToolTokens(own, window.count),
          allows: () => true,
          toolTimeoutMs,
          maxToolOutputChars,
        },
        steering: { signals, comments, compressor, signal, hardSignal },
        get limits() {
          return { ...readLimits(), maxSameCalls, gauge, names };
        },
        settings,
        barrier: finishRounds,
      };
      await begin(run, { isResumed: replayed !== null, openConversation });
      return await work(run);
    } catch (error) {
      if (error instanceof JournalFailure) return toJournalEnding(error, { settings, tally });
      if (hardSignal?.aborted) return toCutShort(hardSignal, { settings, tally });
      throw error;
    }
  };
}

/** Longest outage that a run without `availability` waits for: five tries with growing pauses. */
const shortOutageMs = 16_000;

/** Retries a step of a run whose caller does not watch the model's endpoint. */
function waitByItself({
  model,
  planningModel,
  now,
  sleep,
}: Pick<Run['requests'], 'model' | 'planningModel'> & Pick<Run['settings'], 'now' | 'sleep'>): Pick<
  Run['requests'],
  'model' | 'planningModel' | 'availability'
> {
  const circuit = new ModelCircuit({ now });
  return {
    model: circuit.watch(model),
    planningModel: circuit.watch(planningModel),
    availability: awaitModel(circuit, { now, sleep, maxOutageMs: shortOutageMs }),
  };
}

/** Takes a run up where its journal ends, or opens its conversation. */
async function begin(
  run: Run,
  { isResumed, openConversation }: { readonly isResumed: boolean } & Pick<RunTaskOptions, 'openConversation'>,
): Promise<void> {
  run.emit({ type: 'run-start', resumed: isResumed });
  if (isResumed) await answerInterruptedCalls(run.conversation, { oneByOne: true });
  else if (findInterruption(run) === null)
    await writeOpening(await openConversation({ signal: run.steering.hardSignal }), run);
}

/** Works on a run by turns until it ends: the runner's own, or those of an agent with a loop of its own. */
export async function workToEnd(run: Run, take: TakeTurn): Promise<RunEnding> {
  for (;;) {
    // What comes next is read from the conversation, so that going on after a crash is no case of its own.
    const isDone = run.conversation.endsWithAnswer && !isWrappingUp(run);
    const ending = isDone ? await finish(run) : await iterate(run, take);
    if (ending !== null) return ending;
  }
}

/** The end of a run that was aborted before its conversation was open, or in the middle of a step. */
function toCutShort(
  signal: AbortSignal,
  { settings: { texts }, tally }: { readonly settings: { readonly texts: RunTexts }; readonly tally: Tally },
): RunResult {
  const statistics = tally.statistics();
  const command = findCommand(signal);
  if (command === null) return { kind: 'interrupted', statistics };
  const status = command === 'pause' ? 'needs_input' : 'stopped';
  const reason = command === 'pause' ? texts.paused : texts.stopped;
  return { kind: 'ended', outcome: { status, reason, finalText: null, statistics } };
}

/** A full disk is an outage, which ends no run. */
function toJournalEnding(
  { cause }: JournalFailure,
  {
    settings: { hideKnownSecrets, texts, logger },
    tally,
  }: {
    readonly settings: Pick<Run['settings'], 'hideKnownSecrets' | 'texts' | 'logger'>;
    readonly tally: Tally;
  },
): RunResult {
  const codes = [cause, (cause as Error | undefined)?.cause].map(
    (error) => (error as { code?: unknown })?.code,
  );
  const isFull = codes.some((code) => code === 'storage-full' || code === 'ENOSPC');
  const detail = fitStart(hideKnownSecrets(toErrorMessage(cause)), 300);
  const statistics = tally.statistics();
  if (isFull) return { kind: 'deferred', waitsFor: 'disk', reason: texts.diskFull(detail), statistics };
  logger?.error({ err: cause }, 'failed to write journal; ending run');
  const reason = texts.journalFailed(detail);
  return {
    kind: 'ended',
    outcome: { status: 'failed', reason, errorClass: 'journal_failed', finalText: null, statistics },
  };
}
