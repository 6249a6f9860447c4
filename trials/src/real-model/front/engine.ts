/** A message of the conversation, as the chat template of a local model receives it. */
export type EngineMessage =
  | { readonly role: 'system' | 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly EngineCall[] };

/** A tool call of an earlier answer, with its result. */
export interface EngineCall {
  readonly name: string;
  readonly input: unknown;
  /** Null if the conversation has no result for it. */
  readonly result: string | null;
}

export interface EngineTool {
  readonly name: string;
  readonly description: string | undefined;
  readonly parameters: JsonSchema | undefined;
}

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Request for one answer. */
export interface EngineRequest {
  readonly messages: readonly EngineMessage[];
  readonly tools: readonly EngineTool[];
  /** Form of the answer: free text and tool calls, one call of a tool, or JSON (of any schema if null). */
  readonly form:
    | { readonly kind: 'free' }
    | { readonly kind: 'call' }
    | { readonly kind: 'json'; readonly schema: JsonSchema | null };
  /** Default: as many as fit. */
  readonly maxTokens: number | undefined;
  readonly temperature: number | undefined;
}

export interface EngineAnswer {
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly input: string }[];
  /** `length` if the answer was cut at its limit of tokens. */
  readonly end: 'stop' | 'length';
  readonly usage: {
    readonly promptTokens: number;
    /** Part of the prompt that was still in the cache. */
    readonly cachedTokens: number;
    readonly completionTokens: number;
  };
}

export interface EngineCallOptions {
  readonly signal: AbortSignal;
  /** Receives each piece of the text. */
  readonly onText?: (piece: string) => void;
}

/** A local model that answers one request at a time. */
export interface Engine {
  readonly model: string;
  /** Size of the window in tokens. */
  readonly contextLength: number;
  /** @throws EngineError for a request that the model cannot answer */
  readonly answer: (request: EngineRequest, options: EngineCallOptions) => Promise<EngineAnswer>;
  readonly close: () => Promise<void>;
}

/** Request that the model cannot answer. */
export class EngineError extends Error {
  readonly code: 'context_length_exceeded' | 'unsupported_schema';

  constructor(code: EngineError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EngineError';
    this.code = code;
  }
}
