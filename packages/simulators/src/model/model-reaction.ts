/** A request as a reaction to it may look at it. */
export interface FaultyModelRequest {
  readonly path: '/v1/responses' | '/v1/chat/completions';
  /** The way in which JSON is asked for: `tool` by a call that must be made, `text` by words alone. */
  readonly mode: 'format' | 'chat-format' | 'tool' | 'text';
  readonly body: Readonly<Record<string, unknown>>;
  /** The body as it came, to search in. */
  readonly written: string;
}

/** An action of the server on one request. `usage`: that of this answer, by default the one of the server. */
export type ModelReaction =
  /** A message with this text; where a call must be made, a call of `answer` with it. */
  | { readonly kind: 'say'; readonly text: string; readonly fault?: ModelFault; readonly usage?: Usage }
  | { readonly kind: 'call'; readonly calls: readonly FaultyModelCall[]; readonly usage?: Usage }
  /** A status with a body, by default one that says `not supported`; `retryAfterMs` goes into the header that AI SDK reads. */
  | {
      readonly kind: 'refuse';
      readonly status: number;
      readonly body?: unknown;
      readonly retryAfterMs?: number;
    }
  /** 200 with this text, which may be no JSON, or no answer. */
  | { readonly kind: 'raw'; readonly body: string }
  /** No answer until the server closes or the caller gives up. */
  | { readonly kind: 'hang' }
  /** The connection breaks before the answer. */
  | { readonly kind: 'reset' }
  /** Text that never ends, as fast as it is taken. */
  | { readonly kind: 'flood' };

/** Tokens, as the answer reports them. */
export interface Usage {
  readonly input: number;
  readonly output: number;
}

/** A tool call; `arguments` is text, and need not be JSON. */
export interface FaultyModelCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** A fault of real servers around an answer that is there. */
export type ModelFault =
  | 'no-annotations'
  | 'reasoning-first'
  /** Chat only: the answer stands where thoughts belong. */
  | 'reasoning-content'
  /** Chat only: it stands there, and prose where it belongs. */
  | 'prose-beside'
  /** Responses only: there is no message, and the answer stands in an item of reasoning. */
  | 'thoughts-only'
  /** The arguments of the call are an object and not its text. */
  | 'object-arguments'
  /** The answer says that the maximum length ended it. */
  | 'cut-off'
  /** The call is not made; the text stands alone. */
  | 'no-call';
