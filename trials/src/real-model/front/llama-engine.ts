import {
  type Engine,
  type EngineAnswer,
  EngineError,
  type EngineMessage,
  type EngineRequest,
} from './engine.ts';
import {
  type ChatFunctions,
  type HistoryItem,
  type Llama,
  type LlamaGrammar,
  loadLlamaLibrary,
} from './llama-library.ts';
import { toCallSchema, toGrammarSchema } from './to-grammar-schema.ts';

export interface LlamaEngineOptions {
  /** Path of the entry file of `node-llama-cpp`. */
  readonly library: string;
  /** Path of a GGUF file. */
  readonly file: string;
  readonly model: string;
  /** Size of the window in tokens. */
  readonly contextLength: number;
  readonly threads: number;
  /** Limit of tokens for each answer. */
  readonly maxAnswerTokens: number;
  /** Returns the seed of the sampler for the next answer. */
  readonly nextSeed: () => number;
}

/** Temperature of a request that names none, as LM Studio and llama.cpp have it. */
const defaultTemperature = 0.8;
/** Room that is kept for the first tokens of the answer. */
const leastAnswerTokens = 32;

/** Loads a model of llama.cpp into this process. */
export async function createLlamaEngine(options: LlamaEngineOptions): Promise<Engine> {
  const { contextLength, threads, maxAnswerTokens, nextSeed } = options;
  const { getLlama, LlamaChat, resolveChatWrapper } = await loadLlamaLibrary(options.library);
  const llama = await getLlama({
    ...{ gpu: false, build: 'never', maxThreads: threads, progressLogs: false, logLevel: 'error' },
  } as const);
  const model = await llama.loadModel({ modelPath: options.file });
  const context = await model.createContext({ contextSize: contextLength, threads, sequences: 1 });
  const contextSequence = context.getSequence();
  const chatWrapper = resolveChatWrapper(model);
  const chat = new LlamaChat({ contextSequence, chatWrapper });
  return {
    model: options.model,
    contextLength,
    answer: async (request, { signal, onText }) => {
      const history = toHistory(request.messages);
      const form = await toForm(llama, request);
      const state = {
        chatHistory: history,
        availableFunctions: form.functions,
        documentFunctionParams: true,
      };
      const promptTokens = chatWrapper
        .generateContextState(state)
        .contextText.tokenize(model.tokenizer).length;
      const room = contextLength - promptTokens;
      if (room < leastAnswerTokens) {
        throw new EngineError(
          'context_length_exceeded',
          `This model's maximum context length is ${contextLength} tokens. However, your messages resulted in ${promptTokens} tokens.`,
        );
      }
      const before = contextSequence.tokenMeter.getState();
      const generated = await chat.generateResponse(history, {
        ...{ signal, ...form, onTextChunk: form.isCall ? undefined : onText, seed: nextSeed() },
        temperature: request.temperature ?? defaultTemperature,
        // Less than the room, so that nothing of the conversation is ever shifted out of the window.
        maxTokens: Math.min(request.maxTokens ?? maxAnswerTokens, maxAnswerTokens, room - 1),
        ...(form.functions === undefined ? {} : { documentFunctionParams: true }),
      });
      const after = contextSequence.tokenMeter.getState();
      const evaluated = after.usedInputTokens - before.usedInputTokens;
      return {
        ...toParts(generated, form),
        usage: {
          promptTokens,
          cachedTokens: Math.max(0, promptTokens - evaluated),
          completionTokens: after.usedOutputTokens - before.usedOutputTokens,
        },
      };
    },
    close: () => llama.dispose(),
  };
}

interface Form {
  readonly isCall: boolean;
  readonly functions?: ChatFunctions;
  readonly grammar?: LlamaGrammar;
}

async function toForm(llama: Llama, { tools, form }: EngineRequest): Promise<Form> {
  try {
    if (form.kind === 'call')
      return { isCall: true, grammar: await llama.createGrammarForJsonSchema(toCallSchema(tools)) };
    if (form.kind === 'json') {
      const { schema } = form;
      const grammar =
        schema === null
          ? await llama.getGrammarFor('json')
          : await llama.createGrammarForJsonSchema(toGrammarSchema(schema));
      return { isCall: false, grammar };
    }
  } catch (cause) {
    throw new EngineError('unsupported_schema', `The schema is not supported: ${(cause as Error).message}`, {
      cause,
    });
  }
  if (tools.length === 0) return { isCall: false };
  const functions = tools.map(({ name, description, parameters }) => {
    const hasParameters = Object.keys((parameters?.properties as object | undefined) ?? {}).length > 0;
    return [name, { description, params: hasParameters ? toGrammarSchema(parameters ?? {}) : undefined }];
  });
  return { isCall: false, functions: Object.fromEntries(functions) };
}

function toHistory(messages: readonly EngineMessage[]): readonly HistoryItem[] {
  const items = messages.map((message): HistoryItem => {
    if (message.role !== 'assistant') return { type: message.role, text: message.text };
    const calls = message.calls.map(({ name, input, result }) => ({
      ...{ type: 'functionCall' as const, name, params: input, result: result ?? '' },
    }));
    return { type: 'model', response: [...(message.text === '' ? [] : [message.text]), ...calls] };
  });
  // What follows the results of a call is written into the same answer.
  return items.at(-1)?.type === 'model' ? items : [...items, { type: 'model', response: [] }];
}

interface Generated {
  readonly response: string;
  readonly functionCalls?: readonly { readonly functionName: string; readonly params: unknown }[] | undefined;
  readonly metadata: { readonly stopReason: string };
}

function toParts(
  { response, functionCalls = [], metadata }: Generated,
  { isCall }: Form,
): Pick<EngineAnswer, 'text' | 'calls' | 'end'> {
  const end = metadata.stopReason === 'maxTokens' ? 'length' : 'stop';
  if (!isCall) {
    const calls = functionCalls.map(({ functionName, params }) => ({
      ...{ name: functionName, input: JSON.stringify(params ?? {}) },
    }));
    return { text: response, calls, end };
  }
  try {
    const call = JSON.parse(response) as { name: string; arguments: unknown };
    return { text: '', calls: [{ name: call.name, input: JSON.stringify(call.arguments) }], end };
  } catch {
    // It was cut at the limit.
    return { text: response, calls: [], end };
  }
}
