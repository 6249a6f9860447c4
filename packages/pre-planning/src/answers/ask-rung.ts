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
import { findSaidText } from './find-said-text.ts';

/** How a model is asked. */
export interface RungRequest {
  readonly rung: Rung;
  readonly model: LanguageModel;
  readonly messages: readonly ModelMessage[];
  readonly maxRetries: number;
  readonly timeoutMs: number;
  readonly providerOptions: Parameters<typeof generateText>[0]['providerOptions'];
}

/** What came back: the text that should be JSON, and what it cost. */
export interface RungAnswer {
  readonly text: string;
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
    const called = typeof call === 'string' || call === undefined ? call : JSON.stringify(call);
    const texts = [called, result.text, findSaidText(result.finalStep.response.body), result.reasoningText];
    return {
      text: texts.find((text) => text !== undefined && text.trim() !== '') ?? '',
      inputTokens: result.usage.inputTokens ?? 0,
      outputTokens: result.usage.outputTokens ?? 0,
    };
  } catch (error) {
    const text = findTextInError(error);
    if (text === '') throw error;
    return { text, inputTokens: 0, outputTokens: 0 };
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
function findTextInError(error: unknown): string {
  const last = RetryError.isInstance(error) ? error.lastError : error;
  if (APICallError.isInstance(last)) return findSaidText(last.responseBody);
  const content = toRecord(last)?.content;
  return Array.isArray(content) ? findSaidText({ output: [{ content }] }) : '';
}
