/** What a message must have to be written; the rest is the caller's own. */
export interface MessageLike {
  readonly role: string;
  readonly content: unknown;
}

/** Tokens of one model call, as the endpoint reported them. */
export interface CallUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** What getting a run ready has cost, by every process that did. */
export interface OpeningCost extends CallUsage {
  readonly modelCalls: number;
  readonly toolCalls: number;
}

/** One revision of one comment that a message delivers. */
export interface DeliveredRevision {
  readonly id: string;
  readonly revision: string;
  readonly kind: 'added' | 'edited' | 'deleted';
}

/** A line of the journal that holds a message, with what it cost. */
export interface MessageEvent<Message> {
  readonly type: 'message';
  readonly message: Message;
  readonly usage: CallUsage | null;
  readonly delivers: readonly DeliveredRevision[];
  /** On the line that opens a conversation: how many lines, this one included, belong to the opening. */
  readonly opens?: number | undefined;
  /** On that line too: what was spent before the conversation was opened. */
  readonly spent?: OpeningCost | undefined;
  /** Milliseconds that the run has been active so far, over all processes. */
  readonly activeMs?: number | undefined;
}

export interface ToolStartedEvent {
  readonly type: 'tool-started';
  readonly toolCallId: string;
  readonly tool: string;
  readonly args: unknown;
}

export interface ToolFinishedEvent {
  readonly type: 'tool-finished';
  readonly toolCallId: string;
  readonly tool: string;
  readonly args: unknown;
  readonly status: 'success' | 'error';
  readonly output: string;
  /** Of a call that was carried out and whose work failed, such as `exit code 1`. */
  readonly failure?: string | undefined;
  readonly durationMs: number;
}

/** What is appended to a journal. */
export type JournalEvent<Message> = MessageEvent<Message> | ToolStartedEvent | ToolFinishedEvent;

/** Stands for the messages `startSeq` … `endSeq` in the context. */
export interface RunSummary {
  readonly startSeq: number;
  readonly endSeq: number;
  readonly text: string;
  /** What the model call that wrote it cost. */
  readonly usage?: CallUsage | undefined;
}

/** A message as it was written, with its number and time. */
export interface MessageEntry<Message> extends MessageEvent<Message> {
  readonly seq: number;
  /** ISO 8601, UTC. */
  readonly timestamp: string;
}

/** What reading a journal yields. */
export type JournalEntry<Message> =
  | MessageEntry<Message>
  | { readonly type: 'summary'; readonly summary: RunSummary };

/** How a run ended, as `outcome.json` keeps it. */
export interface RunEnd {
  readonly status: 'completed' | 'failed' | 'stopped' | 'paused';
  readonly reason: string | null;
  readonly finalText: string | null;
  readonly statistics: {
    readonly modelCalls: number;
    readonly toolCalls: number;
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly durationMs: number;
  };
  /** What the steps after the end need, in the caller's own snake_case, such as the final comment. */
  readonly details?: unknown;
}
