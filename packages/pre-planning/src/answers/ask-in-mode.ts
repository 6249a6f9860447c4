import { parseJson, toRecord } from '@agent/text/json';
import {
  AISDKError,
  APICallError,
  generateText,
  jsonSchema,
  type LanguageModel,
  Output,
  RetryError,
} from 'ai';
import { z } from 'zod';
import type { CallReport, OutputMode, Question } from './answer-source.ts';
import type { FittedPrompt } from './prompt-window.ts';

/** Request in one mode. */
export interface ModeRequest {
  readonly mode: OutputMode;
  readonly model: LanguageModel;
  readonly prompt: FittedPrompt;
  readonly maxRetries: number;
  readonly timeoutMs: number;
  readonly providerOptions: Parameters<typeof generateText>[0]['providerOptions'];
}

/** Answer in one mode, and its cost. */
interface ModeAnswer {
  /** Texts in which the JSON may stand, the likeliest first, none of them empty. */
  readonly texts: readonly string[];
  /** The longest answer allowed ended it. */
  readonly isCutOff: boolean;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly reported?: CallReport['reported'];
}

const toolName = 'answer';

/**
 * Asks once, in one mode. An answer that the SDK does not accept is an answer, also if there is nothing in it.
 *
 * @throws what the SDK throws if the model could not be asked
 */
export async function askInMode(question: Question<unknown>, request: ModeRequest): Promise<ModeAnswer> {
  try {
    const result = await generate(question, request);
    const call = result.toolCalls[0]?.input;
    const called = typeof call === 'string' ? call : (JSON.stringify(call) ?? '');
    const raw = findAnswerTexts(result.finalStep.response.body);
    const texts = [called, result.text, ...raw, result.reasoningText ?? ''];
    return {
      texts: [...new Set(texts.filter((text) => text.trim() !== ''))],
      isCutOff: result.finishReason === 'length',
      inputTokens: result.usage.inputTokens ?? 0,
      outputTokens: result.usage.outputTokens ?? 0,
      reported: { usage: result.usage, providerMetadata: result.providerMetadata },
    };
  } catch (error) {
    const texts = findTextsInError(error);
    if (texts.length === 0 && !isAboutAnswer(error)) throw error;
    return { texts, isCutOff: false, inputTokens: 0, outputTokens: 0 };
  }
}

function generate({ name, format, signal }: Question<unknown>, request: ModeRequest) {
  const { mode, model, prompt, maxRetries, timeoutMs, providerOptions } = request;
  const inputSchema = jsonSchema(format);
  return generateText({
    model,
    instructions: prompt.instructions,
    messages: [...prompt.messages],
    maxRetries,
    timeout: { stepMs: timeoutMs },
    include: { responseBody: true },
    ...(providerOptions === undefined ? {} : { providerOptions }),
    ...(signal === undefined ? {} : { abortSignal: signal }),
    ...(mode === 'format' || mode === 'chat-format' ? { output: withFormat(name, format) } : {}),
    ...(mode === 'tool'
      ? {
          tools: { [toolName]: { description: `Takes ${name}.`, inputSchema } },
          toolChoice: 'required' as const,
        }
      : {}),
  });
}

/** Tells the endpoint the form, and leaves the reading of the text to us, who can read more than the SDK. */
function withFormat(name: string, schema: Question<unknown>['format']): Output.Output<string, string, never> {
  return { ...Output.text(), responseFormat: Promise.resolve({ type: 'json', name, schema }) };
}

/** Errors of the SDK about the request or its setup: nothing was asked. */
const setupErrors: ReadonlySet<string> = new Set([
  ...[
    'AI_APICallError',
    'AI_LoadAPIKeyError',
    'AI_LoadSettingError',
    'AI_NoSuchModelError',
    'AI_NoSuchProviderError',
  ],
  ...['AI_UnsupportedFunctionalityError', 'AI_UnsupportedModelVersionError', 'AI_InvalidArgumentError'],
  ...[
    'AI_InvalidPromptError',
    'AI_InvalidMessageRoleError',
    'AI_InvalidDataContentError',
    'AI_DownloadError',
  ],
  ...['AI_RetryError', 'AI_TooManyEmbeddingValuesForCallError', 'AI_NoSuchProviderReferenceError'],
]);

/** Tells whether the SDK rejects what the model answered, such as an answer without the call that was required. */
function isAboutAnswer(error: unknown): boolean {
  const last = RetryError.isInstance(error) ? error.lastError : error;
  return AISDKError.isInstance(last) && !setupErrors.has(last.name);
}

/** Some errors hold an answer: one whose frame the SDK could not make sense of, one without the call of the tool. */
function findTextsInError(error: unknown): readonly string[] {
  const last = RetryError.isInstance(error) ? error.lastError : error;
  if (APICallError.isInstance(last)) return findAnswerTexts(last.responseBody);
  const content = toRecord(last)?.content;
  return Array.isArray(content) ? findAnswerTexts({ output: [{ content }] }) : [];
}

// Field by field: what is odd in one of them costs none of the others.
const answerText = z.string().catch('');
const answerParts = z
  .union([
    z.string().transform((whole) => [{ text: whole }]),
    z.array(z.object({ text: answerText }).catch({ text: '' })),
  ])
  .catch([]);
/** JSON as text, as it should be, or as the object itself. */
const callArguments = z
  .unknown()
  .optional()
  .transform((value) =>
    typeof value === 'string' ? value : value === null ? '' : (JSON.stringify(value) ?? ''),
  );
const answerCall = z.object({ arguments: callArguments }).catch({ arguments: '' });

const outputItem = z.object({
  type: answerText,
  content: answerParts,
  summary: answerParts,
  arguments: callArguments,
});
const chatMessage = z.object({
  content: answerParts,
  tool_calls: z.array(z.object({ function: answerCall }).catch({ function: { arguments: '' } })).catch([]),
  function_call: answerCall,
  reasoning_content: answerText,
  reasoning: answerText,
});
const responseBody = z.object({
  output: z.array(outputItem.nullable().catch(null)).catch([]),
  choices: z.array(z.object({ message: chatMessage }).nullable().catch(null)).catch([]),
});

/**
 * Finds the model's words in an endpoint's answer as it came: for servers whose answers lack fields that the
 * SDK asks for, hold them in another form, or put the answer where thoughts belong. Messages come before calls, calls
 * before thoughts; nothing is empty.
 */
export function findAnswerTexts(response: unknown): readonly string[] {
  const { success, data } = responseBody.safeParse(
    typeof response === 'string' ? parseJson(response) : response,
  );
  if (!success) return [];
  const items = data.output.filter((one) => one !== null);
  const thoughts = items.filter(({ type }) => type === 'reasoning');
  const said = data.choices[0]?.message;
  return [
    ...items.filter(({ type }) => type !== 'reasoning').map(({ content }) => joinParts(content)),
    joinParts(said?.content),
    ...items.map((one) => one.arguments),
    ...(said?.tool_calls ?? []).map((one) => one.function.arguments),
    said?.function_call.arguments ?? '',
    said?.reasoning_content ?? '',
    said?.reasoning ?? '',
    ...thoughts.flatMap(({ content, summary }) => [joinParts(content), joinParts(summary)]),
  ].filter((one) => one.trim() !== '');
}

function joinParts(said: z.infer<typeof answerParts> | undefined): string {
  return (said ?? []).map((part) => part.text).join('');
}
