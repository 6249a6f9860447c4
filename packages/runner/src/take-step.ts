import { fitStart, type Locale, removeReasoning } from '@agent/text';
import { isPlaceholder } from '@agent/text/json';
import {
  generateText,
  isStepCount,
  type LanguageModel,
  type LanguageModelMiddleware,
  type ModelMessage,
  type ToolSet,
  type TypedToolCall,
  wrapLanguageModel,
} from 'ai';
import { z } from 'zod';
import { abandonAfterAbort } from './call-limits.ts';
import { classifyModelError, type ModelFailure } from './classify-model-error.ts';
import { JournalFailure } from './conversation.ts';
import { toFailure } from './failures/model-failure.ts';
import type { UnusableKind } from './lost-answer.ts';
import type { JsonValue, RunTools, TokenUsage } from './model.ts';
import type { HideKnownSecrets } from './ports.ts';
import { isAborted, type Run } from './run.ts';
import { isTextCall } from './text-calls/is-text-call.ts';
import { runTexts } from './texts.ts';
import { nothingUsed, readUsage } from './usage.ts';
import type { FittedPrompt } from './window/context-window.ts';

/** A tool call as the model made it; `invalid` when the tool or the arguments are none that we know. */
export type ModelToolCall = TypedToolCall<ToolSet>;

/** Result of one model call; an answer is in the journal when it comes back. */
export type StepAnswer =
  | {
      readonly kind: 'calls';
      readonly calls: readonly ModelToolCall[];
      readonly refused: number;
      /** True if the answer was cut at its maximum length: its last call may lack a part, even if its JSON is closed. */
      readonly isCut: boolean;
    }
  | { readonly kind: 'final' }
  /** Nothing to go on with. Not in the journal. */
  | {
      readonly kind: 'unusable';
      readonly why: UnusableKind;
      readonly usage: TokenUsage;
      /** Words of the model that refused to answer. */
      readonly refusal?: string | null;
    }
  | { readonly kind: 'failed'; readonly failure: ModelFailure; readonly reason: string }
  | { readonly kind: 'aborted' };

interface TakeStepOptions {
  /** Tells whether no tool may be called any more. Default false. */
  readonly isLast?: boolean;
}

/** Asks the model once, and journals what it said before anything rests on it. */
export async function takeStep(run: Run, { isLast = false }: TakeStepOptions = {}): Promise<StepAnswer> {
  const step = run.tally.statistics().modelCalls + 1;
  run.emit({ type: 'step-start', step });
  const asked = await askFitting(run, { isLast });
  if ('kind' in asked) return asked;
  const { result, usage } = asked;
  const calls = result.toolCalls.filter(({ providerExecuted }) => providerExecuted !== true);
  const text = run.settings.hideKnownSecrets(result.text);
  run.emit({ type: 'model-answer', step, text, tools: calls.map(({ toolName }) => toolName), usage });
  const message = result.responseMessages.find(({ role }) => role === 'assistant');
  const { finishReason } = result;
  const refusal = calls.length > 0 ? null : readRefusal(result.finalStep.response.body);
  const why = findFlaw(run, { text, finishReason, calls, isRefused: refusal !== null });
  if (message === undefined || why !== null) {
    const said = refusal ?? (finishReason === 'content-filter' ? text : '');
    const words = fitStart(run.settings.hideKnownSecrets(said), maxDetailChars);
    return { kind: 'unusable', why: why ?? 'empty', usage, refusal: words === '' ? null : words };
  }
  const { maxCallsPerAnswer } = run.requests;
  const made = calls.slice(0, maxCallsPerAnswer);
  const kept = made.length === calls.length ? message : withoutCalls(message, calls.slice(maxCallsPerAnswer));
  await run.conversation.append(kept, { usage });
  if (calls.length === 0) return { kind: 'final' };
  const refused = calls.length - made.length;
  return { kind: 'calls', calls: made, refused, isCut: finishReason === 'length' && refused === 0 };
}

const refusalSchema = z.object({ refusal: z.string().min(1) });

const refusingSchema = z.object({
  choices: z.array(z.object({ message: z.unknown() })).default([]),
  output: z.array(z.object({ content: z.array(z.unknown()).catch([]).default([]) })).default([]),
});

/** The words with which a model refuses to answer, which the SDK leaves out; null if it did not. */
function readRefusal(body: unknown): string | null {
  const { data } = refusingSchema.safeParse(body);
  if (data === undefined) return null;
  const parts = [
    ...data.choices.map(({ message }) => message),
    ...data.output.flatMap(({ content }) => content),
  ];
  const refusals = parts.map((part) => refusalSchema.safeParse(part).data?.refusal);
  return refusals.find((refusal) => refusal !== undefined) ?? null;
}

/** Asks the model with a prompt that fits its window, and with less after each refusal for length. */
async function askFitting(
  run: Run,
  { isLast }: { readonly isLast: boolean },
): Promise<
  StepAnswer | { readonly result: Awaited<ReturnType<typeof askModel>>; readonly usage: TokenUsage }
> {
  const { conversation, window, calls } = run;
  for (;;) {
    const { instructions, context: items } = conversation;
    const prompt = window.fit({ instructions, items, toolTokens: calls.toolTokens });
    const change = window.takeChange();
    if (change !== null) await conversation.appendWindowFact(change as unknown as JsonValue);
    if (prompt === null) return toTooSmall(run);
    try {
      const { hardSignal: signal } = run.steering;
      const { sleep } = run.settings;
      const result = await abandonAfterAbort(askModel(run, { prompt, isLast }), { signal, sleep });
      const usage = readUsage(result);
      window.learn(prompt, usage.inputTokens);
      return { result, usage };
    } catch (error) {
      if (isAborted(run)) return { kind: 'aborted' };
      if (error instanceof JournalFailure) throw error;
      if (!window.shrinkAfter(prompt, error)) return toFailedStep(run, classifyModelError(error));
      run.settings.logger?.info({ estimate: prompt.estimate }, 'shortening prompt after refusal');
    }
  }
}

/** Instructions, tools and the newest message alone do not fit. */
function toTooSmall({ window, settings }: Run): StepAnswer {
  const failure = toFailure('context-too-long', { wasAsked: false });
  return { kind: 'failed', failure, reason: settings.texts.windowTooSmall(window.limit) };
}

interface JudgedAnswer {
  readonly text: string;
  readonly finishReason: string;
  readonly calls: readonly ModelToolCall[];
  readonly isRefused: boolean;
}

/** Marks alone, such as a fence with empty lines behind it, are what a failing model repeats. */
const saysSomething = /[\p{L}\p{N}\p{Extended_Pictographic}]/u;

/** Why an answer is of no use; null for one to go on with. */
function findFlaw(run: Run, { text, finishReason, calls, isRefused }: JudgedAnswer): UnusableKind | null {
  const { maxAnswerChars } = run.requests;
  const { tools } = run.calls;
  const length = calls.reduce((sum, { input }) => sum + (JSON.stringify(input) ?? '').length, text.length);
  if (length > maxAnswerChars) return 'too-long';
  if (calls.length > 0) return null;
  if (finishReason === 'length') return 'cut-off';
  if (finishReason === 'content-filter' || isRefused) return 'filtered';
  const said = removeReasoning(text);
  const hasCalled = run.tally.statistics().toolCalls > 0;
  const options = { tools: Object.keys(tools), hasCalled };
  const { refusal } = run.requests.textCalls;
  if (refusal === 'quoted-call') return refusal;
  if (isTextCall(said === '' ? text : said, options)) return refusal ?? 'text-call';
  return saysSomething.test(said) && !isPlaceholder(said) ? null : 'empty';
}

/** A message with thousands of calls would fill the context of every later request. */
function withoutCalls<Message extends ModelMessage>(
  message: Message,
  dropped: readonly ModelToolCall[],
): Message {
  const ids = new Set(dropped.map(({ toolCallId }) => toolCallId));
  const { content } = message;
  if (typeof content === 'string') return message;
  const kept = content.filter((part) => part.type !== 'tool-call' || !ids.has(part.toolCallId));
  return { ...message, content: kept } as Message;
}

function askModel(
  { requests, calls, steering }: Run,
  { prompt, isLast }: { readonly prompt: FittedPrompt; readonly isLast: boolean },
) {
  const { instructions, messages } = prompt;
  const { tools } = calls;
  return generateText({
    model: requests.textCalls.watch(withTidyCalls(requests.model)),
    messages: [...messages],
    ...(instructions === '' ? {} : { instructions }),
    tools: withoutExecute(tools),
    ...(isLast && Object.keys(tools).length > 0 ? { toolChoice: 'none' as const } : {}),
    stopWhen: isStepCount(1),
    maxRetries: requests.maxRetries,
    timeout: { stepMs: requests.stepTimeoutMs },
    include: { responseBody: true },
    providerOptions: requests.providerOptions,
    ...(steering.hardSignal === undefined ? {} : { abortSignal: steering.hardSignal }),
  });
}

/** The model sees what tools are for; running them is the runner's, where an error can end the run. */
function withoutExecute(tools: RunTools): ToolSet {
  return Object.fromEntries(
    Object.entries(tools).map(([name, { description, inputSchema }]) => [name, { description, inputSchema }]),
  );
}

function toFailedStep(run: Run, failure: ModelFailure): StepAnswer {
  const { kind, status, address, wasAsked } = failure;
  if (wasAsked) run.settings.logger?.warn({ kind, status, address }, 'failed to call model');
  if (kind === 'answer-too-long') return { kind: 'unusable', why: 'too-long', usage: nothingUsed };
  if (kind === 'bad-call') return { kind: 'unusable', why: 'unparsed-call', usage: nothingUsed };
  const { locale, hideKnownSecrets } = run.settings;
  const { stepTimeoutMs: timeoutMs } = run.requests;
  return {
    kind: 'failed',
    failure,
    reason: describeModelFailure(failure, { locale, timeoutMs, hideKnownSecrets }),
  };
}

/**
 * The same model, whose calls within one answer each have an id of their own: models that run locally repeat an id or leave it empty, and
 * the SDK then takes all of them for the first. Calls in an answer that may have none are left out: the SDK would refuse the whole answer.
 */
function withTidyCalls(model: LanguageModel): LanguageModel {
  // A name stands for a model of the SDK's global provider, which is none of the local ones.
  return typeof model === 'string' ? model : wrapLanguageModel({ model, middleware });
}

const middleware: LanguageModelMiddleware = {
  specificationVersion: 'v4',
  wrapGenerate: async ({ doGenerate, params }) => {
    const result = await doGenerate();
    const isOfClient = (part: (typeof result.content)[number]) =>
      part.type === 'tool-call' && part.providerExecuted !== true;
    if (params.toolChoice?.type === 'none') {
      const content = result.content.filter((part) => !isOfClient(part));
      const { finishReason } = result;
      const isOver = finishReason.unified === 'tool-calls';
      return {
        ...result,
        content,
        finishReason: isOver ? { ...finishReason, unified: 'stop' } : finishReason,
      };
    }
    const taken = new Set<string>();
    const content = result.content.map((part) => {
      if (part.type !== 'tool-call' || part.providerExecuted) return part;
      const toolCallId = toUnusedId(part.toolCallId || 'call', taken);
      taken.add(toolCallId);
      return toolCallId === part.toolCallId ? part : { ...part, toolCallId };
    });
    return { ...result, content };
  },
};

function toUnusedId(id: string, taken: ReadonlySet<string>): string {
  if (!taken.has(id)) return id;
  let number = 2;
  while (taken.has(`${id}-${number}`)) number += 1;
  return `${id}-${number}`;
}

/** Options of the description of a model's failure. */
export interface DescribeFailureOptions {
  readonly locale: Locale;
  /** Milliseconds that the call was allowed to take; named where it took longer. */
  readonly timeoutMs: number;
  /** Takes secrets out of the endpoint's words before they are cut. Default: leaves them as they are. */
  readonly hideKnownSecrets?: HideKnownSecrets | undefined;
}

const maxDetailChars = 300;

/** Says why a model call failed and what to do about it, without the endpoint's address. */
export function describeModelFailure(
  failure: Pick<ModelFailure, 'kind' | 'status' | 'detail'>,
  { locale, timeoutMs, hideKnownSecrets = (text) => text }: DescribeFailureOptions,
): string {
  const words = failure.detail;
  const detail = words === null ? null : fitStart(hideKnownSecrets(words), maxDetailChars);
  return runTexts(locale).modelFailed({ ...failure, detail, timeoutMs });
}
