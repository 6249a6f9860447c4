/** One way in which an answer of the model server goes wrong. */
export type LmMisbehavior =
  /** No answer at all, or the beginning of one and no end, until somebody gives up. */
  | { readonly kind: 'hang'; readonly at: 'headers' | 'body' }
  /** The connection breaks before the answer, or in its middle. */
  | { readonly kind: 'reset'; readonly at: 'headers' | 'body' }
  /** An error answer, e.g. 500. */
  | { readonly kind: 'status'; readonly status: number; readonly message?: string }
  /**
   * 400 "Model unloaded.", or that the model crashed; a later request loads it again.
   * @see https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/1347
   */
  | { readonly kind: 'unloaded' | 'crashed' }
  /** 200 with a page of HTML, as a proxy sends it. */
  | { readonly kind: 'not-json' }
  /** 200 with JSON that is no response. */
  | { readonly kind: 'wrong-shape' }
  | ResponseMisbehavior;

/** One way in which a response is unusual and still a response. */
export type ResponseMisbehavior =
  /** `output_text` without `annotations`. */
  | { readonly kind: 'no-annotations' }
  /** An item of reasoning before the message. */
  | { readonly kind: 'reasoning-first' }
  /** The answer breaks off in the middle. */
  | { readonly kind: 'incomplete'; readonly reason: 'max_output_tokens' | 'content_filter' }
  | { readonly kind: 'failed'; readonly message: string }
  /** No item at all. */
  | { readonly kind: 'no-output' }
  /** A message without text. */
  | { readonly kind: 'empty-text' };
