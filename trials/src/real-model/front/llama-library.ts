import { pathToFileURL } from 'node:url';

// The parts of `node-llama-cpp` 3 that are used here. The package is downloaded on demand, so its own types are not there to import.

export interface LlamaLibrary {
  readonly getLlama: (options: {
    readonly gpu: false;
    readonly build: 'never';
    readonly maxThreads: number;
    readonly progressLogs: false;
    readonly logLevel: 'error';
  }) => Promise<Llama>;
  readonly LlamaChat: new (options: {
    readonly contextSequence: ContextSequence;
    readonly chatWrapper: ChatWrapper;
  }) => LlamaChat;
  readonly resolveChatWrapper: (model: LlamaModel) => ChatWrapper;
}

export interface Llama {
  readonly loadModel: (options: { readonly modelPath: string }) => Promise<LlamaModel>;
  readonly createGrammarForJsonSchema: (schema: object) => Promise<LlamaGrammar>;
  readonly getGrammarFor: (name: 'json') => Promise<LlamaGrammar>;
  readonly dispose: () => Promise<void>;
}

/** Opaque. */
export type LlamaGrammar = object & { readonly __grammar: never };

export interface LlamaModel {
  readonly tokenizer: unknown;
  readonly createContext: (options: {
    readonly contextSize: number;
    readonly threads: number;
    readonly sequences: number;
  }) => Promise<{ readonly getSequence: () => ContextSequence }>;
}

export interface ContextSequence {
  readonly tokenMeter: {
    readonly getState: () => { readonly usedInputTokens: number; readonly usedOutputTokens: number };
  };
}

export type HistoryItem =
  | { readonly type: 'system' | 'user'; readonly text: string }
  | {
      readonly type: 'model';
      readonly response: readonly (
        | string
        | {
            readonly type: 'functionCall';
            readonly name: string;
            readonly params: unknown;
            readonly result: unknown;
          }
      )[];
    };

export interface ChatFunction {
  readonly description?: string | undefined;
  readonly params?: object | undefined;
}

export type ChatFunctions = Readonly<Record<string, ChatFunction>>;

export interface ChatWrapper {
  readonly generateContextState: (options: {
    readonly chatHistory: readonly HistoryItem[];
    readonly availableFunctions?: ChatFunctions | undefined;
    readonly documentFunctionParams: boolean;
  }) => { readonly contextText: { readonly tokenize: (tokenizer: unknown) => readonly number[] } };
}

export interface LlamaChat {
  readonly generateResponse: (
    history: readonly HistoryItem[],
    options: {
      readonly signal: AbortSignal;
      readonly maxTokens: number;
      readonly temperature: number;
      readonly seed: number;
      readonly onTextChunk?: ((text: string) => void) | undefined;
      readonly grammar?: LlamaGrammar | undefined;
      readonly functions?: ChatFunctions | undefined;
      readonly documentFunctionParams?: boolean | undefined;
    },
  ) => Promise<{
    readonly response: string;
    readonly functionCalls?:
      | readonly { readonly functionName: string; readonly params: unknown }[]
      | undefined;
    readonly metadata: { readonly stopReason: string };
  }>;
}

/** Loads the downloaded package. */
export async function loadLlamaLibrary(entry: string): Promise<LlamaLibrary> {
  return (await import(pathToFileURL(entry).href)) as LlamaLibrary;
}
