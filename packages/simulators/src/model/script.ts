/**
 * Plays the model: looks at the conversation as the request shows it and says what comes next. It keeps nothing
 * between calls, so the same conversation always gets the same reply, in this process or in the next.
 */
export type Script = (view: ConversationView) => ScriptedReply;

/** The model's answer: text, calls, or both. Calls end the turn and expect their results in the next request. */
export interface ScriptedReply {
  readonly text?: string;
  readonly toolCalls?: readonly ScriptedCall[];
}

/** A tool call of the script. */
export interface ScriptedCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** A request's conversation, the same whichever endpoint it came to. */
export interface ConversationView {
  readonly api: 'responses' | 'chat';
  readonly model: string;
  /** All system and developer text. */
  readonly instructions: string;
  /** Messages of user and assistant, oldest first. */
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly text: string }[];
  /** All tool calls so far, oldest first, each with its result. */
  readonly exchanges: readonly ToolExchange[];
  /** Names of the tools on offer. */
  readonly tools: readonly string[];
  /** Number of turns that the assistant has had: a text, calls, or both at once count as one. */
  readonly turns: number;
}

/** A tool call of the conversation, with its result. */
export interface ToolExchange {
  readonly id: string;
  readonly name: string;
  /** The arguments; null when they are no JSON object. */
  readonly input: Readonly<Record<string, unknown>> | null;
  /** As the caller sent it back. */
  readonly output: string;
}
