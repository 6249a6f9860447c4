import {
  APICallError,
  generateText,
  jsonSchema,
  type LanguageModel,
  type ModelMessage,
  Output,
  RetryError,
} from 'ai';
import { toRecord } from '../json/lenient.ts';
import type { Question, Rung } from './answer-source.ts';
import { findSaidTexts } from './find-said-texts.ts';

/** How a model is asked. */
export interface RungRequest {
  readonly rung: Rung;
  readonly model: LanguageModel;
  readonly messages: readonly ModelMessage[];
  readonly maxRetries: number;
  readonly timeoutMs: number;
  readonly providerOptions: Parameters<typeof generateText>[0]['providerOptions'];
}

/** What came back, and what it cost. */
export interface RungAnswer {
  /** Where the JSON may stand, the likeliest first, none of them empty. */
  readonly texts: readonly string[];
  /** The longest answer allowed ended it. */
  readonly isCutOff: boolean;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

const toolName = 'answer';

/**
 * Asks once, in the way of a rung.
 *
 * @throws what the SDK throws, unless there is an answer that is only not as the SDK wants it
 */
export async function askRung(question: Question<unknown>, request: RungRequest): Promise<RungAnswer> {
  try {
    const result = await generate(question, request);
    const call = result.toolCalls[0]?.input;
    const called = typeof call === 'string' ? call : (JSON.stringify(call) ?? '');
    const raw = findSaidTexts(result.finalStep.response.body);
    const texts = [called, result.text, ...raw, result.reasoningText ?? ''];
    return {
      texts: [...new Set(texts.filter((text) => text.trim() !== ''))],
      isCutOff: result.finishReason === 'length',
      inputTokens: result.usage.inputTokens ?? 0,
      outputTokens: result.usage.outputTokens ?? 0,
    };
  } catch (error) {
    const texts = findTextsInError(error);
    if (texts.length === 0) throw error;
    return { texts, isCutOff: false, inputTokens: 0, outputTokens: 0 };
  }
}

function generate({ name, instructions, format, signal }: Question<unknown>, request: RungRequest) {
  const { rung, model, messages, maxRetries, timeoutMs, providerOptions } = request;
  const inputSchema = jsonSchema(format);
  return generateText({
    model,
    instructions,
    messages: [...messages],
    maxRetries,
    timeout: { stepMs: timeoutMs },
    include: { responseBody: true },
    ...(providerOptions === undefined ? {} : { providerOptions }),
    ...(signal === undefined ? {} : { abortSignal: signal }),
    ...(rung === 'format' || rung === 'chat-format' ? { output: withFormat(name, format) } : {}),
    ...(rung === 'tool'
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

/** Some errors hold an answer: one whose frame the SDK could not make sense of, one without the call of the tool. */
function findTextsInError(error: unknown): readonly string[] {
  const last = RetryError.isInstance(error) ? error.lastError : error;
  if (APICallError.isInstance(last)) return findSaidTexts(last.responseBody);
  const content = toRecord(last)?.content;
  return Array.isArray(content) ? findSaidTexts({ output: [{ content }] }) : [];
}
