/** What a request asked for, as far as a test looks at it. */
export interface SeenRequest {
  readonly path: '/v1/responses' | '/v1/chat/completions';
  readonly rung: 'format' | 'chat-format' | 'tool' | 'text';
  readonly body: Readonly<Record<string, unknown>>;
  /** All of it, to search in. */
  readonly written: string;
}

/** What the server does with one request. */
export type Reaction =
  | { readonly kind: 'say'; readonly text: string; readonly fault?: Fault }
  | { readonly kind: 'refuse'; readonly status: number }
  /** 200 with JSON that is no answer. */
  | { readonly kind: 'nonsense' };

/** What real servers do to an answer that is there. */
export type Fault =
  | 'no-annotations'
  | 'reasoning-first'
  /** Chat only: the answer stands where thoughts belong. */
  | 'reasoning-content'
  /** Chat only: it stands there, and prose where it belongs. */
  | 'prose-beside'
  /** Responses only: there is no message, and the answer stands in an item of reasoning. */
  | 'thoughts-only'
  /** The arguments of the tool are an object and not its text. */
  | 'object-arguments'
  /** Says that the maximum length ended it. */
  | 'cut-off'
  /** The tool is not called; the text stands alone. */
  | 'no-call';
