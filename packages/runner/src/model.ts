import type { FlexibleSchema, ModelMessage, ToolSet } from 'ai';

/** Tokens of one model call, as the endpoint reported them; 0 where it said nothing. */
export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Input tokens that the provider read from its cache. Default 0. */
  readonly cachedInputTokens?: number | undefined;
  /** Output tokens that the model thought with. Default 0. */
  readonly reasoningTokens?: number | undefined;
  /** Cost in millionths of the currency. Default 0: it costs nothing, or nobody knows its price. */
  readonly costMicros?: number | undefined;
}

/** Cost of a run before the first line of its journal was written, in every process that prepared it. */
export interface OpeningCost extends TokenUsage {
  readonly modelCalls: number;
  readonly toolCalls: number;
}

/** Calls and tokens of a run, and what they cost. */
export interface RunStatistics extends TokenUsage {
  readonly modelCalls: number;
  readonly toolCalls: number;
  /** Milliseconds the run was active, over all processes that carried it. */
  readonly durationMs: number;
}

/**
 * End of a run. `partial`: the plan has open actions, or its verification did not pass. `needs_input`: the run is paused, or waits
 * for an answer or an approval.
 */
export type OutcomeStatus = 'completed' | 'partial' | 'needs_input' | 'stopped' | 'failed';

/** End of a run. An expected outcome is a value, never an exception. */
export interface RunOutcome {
  readonly status: OutcomeStatus;
  /** Why, for people; null for a run that completed. */
  readonly reason: string | null;
  /** Class of the failure; stable, for logs and traces. Default null: it did not fail, or the cause is unknown. */
  readonly errorClass?: string | null | undefined;
  /** Last words of the model; null when it never gave a final answer. */
  readonly finalText: string | null;
  readonly statistics: RunStatistics;
  /** Answer, approval or follow-up that a paused run waits for. Default none: it waits to be resumed. */
  readonly waitsFor?: WaitsFor | undefined;
}

/** Answer, approval or further wishes of people that a run waits for; it is taken up again when that may be there. */
export interface WaitsFor {
  /** `follow-up`: the run has delivered its work and waits for reviews and checks of it. `held`: a person has to allow changes. */
  readonly kind: 'answer' | 'approval' | 'follow-up' | 'held';
  /** Id of the question. */
  readonly id: string;
  /** ISO 8601, UTC: when it goes on without; null for never. */
  readonly until: string | null;
}

/** Something that a run keeps in its journal. */
export type JournalEvent =
  | {
      readonly type: 'message';
      readonly message: ModelMessage;
      /**
       * Present on the line that a model call led to: what the call cost. That is the assistant's message, or, after
       * an answer that is of no use, the user's message that asks again.
       */
      readonly usage: TokenUsage | null;
      /** Comments that this message delivers; empty for most. */
      readonly delivers: readonly {
        readonly id: string;
        readonly revision: string;
        readonly kind: 'added' | 'edited' | 'deleted';
      }[];
      /**
       * On the line that opens the conversation: how many lines, this one included, belong to the opening. An opening
       * that a crash cut short is thus known, and opened again.
       */
      readonly opens?: number | undefined;
      /** On that line too: the cost of preparing the run. Counted of the last opening alone. */
      readonly spent?: OpeningCost | undefined;
      /** Milliseconds that the run has been active when the line was written, over all processes. */
      readonly activeMs?: number | undefined;
    }
  | {
      readonly type: 'tool-started';
      readonly toolCallId: string;
      readonly tool: string;
      /** Words of an agent about this call of its own, on one line. Default none. */
      readonly title?: string | undefined;
      readonly args: unknown;
    }
  | {
      readonly type: 'tool-finished';
      readonly toolCallId: string;
      readonly tool: string;
      /** Words of an agent about this call of its own, on one line. Default none. */
      readonly title?: string | undefined;
      readonly args: unknown;
      readonly status: 'success' | 'error';
      readonly output: string;
      /** Reason of a call that was carried out and whose work failed, such as `exit code 1`. */
      readonly failure?: string | undefined;
      readonly durationMs: number;
    }
  | {
      readonly type: 'fact';
      /** Small letters and hyphens. */
      readonly name: string;
      readonly data: JsonValue;
    };

/** A value that JSON can carry. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** Name of the facts of a plan in a run's journal. */
export const planningFactName = 'planning';

/** Name of the facts that say how messages are shortened for the model's window. */
export const windowFactName = 'window';

/** Stands for the messages `startSeq` … `endSeq` in the context. */
export interface RunSummary {
  readonly startSeq: number;
  readonly endSeq: number;
  readonly text: string;
  /** Cost of the model call that wrote it; counted in the run's statistics, also when it is read back. */
  readonly usage?: TokenUsage | undefined;
}

/** Entry of a journal that is read back. */
export type JournalEntry =
  | {
      readonly type: 'message';
      readonly seq: number;
      /** ISO 8601, UTC. */
      readonly timestamp: string;
      readonly message: ModelMessage;
      readonly usage: TokenUsage | null;
      /** Comments that it delivers. Default none. */
      readonly delivers?: readonly unknown[] | undefined;
      readonly opens?: number | undefined;
      readonly spent?: OpeningCost | undefined;
      readonly activeMs?: number | undefined;
    }
  | { readonly type: 'summary'; readonly summary: RunSummary }
  /** Line that is no message: the runner reads those of a plan, and passes over what others keep. */
  | { readonly type: 'fact'; readonly name: string; readonly data: JsonValue };

/** A message of the context, with its number in the journal and what is known of it. */
export interface ContextItem {
  readonly seq: number;
  readonly message: ModelMessage;
  /** True when a model call led to it. */
  readonly answers: boolean;
  /** True when it delivers comments. */
  readonly delivers: boolean;
}

/** A tool of the runner's own form: the model sees description and schema, never the function. */
export interface RunTool {
  readonly description: string;
  readonly inputSchema: FlexibleSchema<unknown>;
  /** True when running it changes nothing anywhere. */
  readonly readOnly: boolean;
  /**
   * Does it. What it resolves to goes to the model as text. Rejecting tells the model that the call failed,
   * with the error's message; an error whose `code` is `refused` says that the call is none that may be made, and
   * counts as no failure of the tool.
   */
  readonly execute: (input: unknown, options: ToolCallOptions) => Promise<string>;
}

/** Call of a tool, as the tool knows it. */
export interface ToolCallOptions {
  readonly toolCallId: string;
  readonly signal?: AbortSignal | undefined;
  /**
   * Says that the work failed although the call was carried out, in a few words such as `exit code 1`: later runs hear
   * of it. It is no failure of the tool and counts toward no limit.
   */
  readonly onFailure?: ((failure: string) => void) | undefined;
  /** Room for the result in the model's window. A longer result is shown in part. */
  readonly room?: ResultRoom | undefined;
}

/** Room for a text in the window of a model. */
export interface ResultRoom {
  readonly maxTokens: number;
  readonly count: (text: string) => number;
}

/** The tools of a run, by the name under which the model calls them. */
export type RunTools = Readonly<Record<string, RunTool>>;

/** Tools as `runTask` takes them: the AI SDK's `tool()`s, the runner's own, or some of both. */
export type TaskTools = Readonly<Record<string, RunTool | ToolSet[string]>>;

/** Place at which the run asks for pause, stop and comments. */
export type CheckpointName =
  | 'before_iteration'
  | 'before_call'
  | 'before_finish'
  | 'before_planning'
  | 'after_planning'
  | 'before_action'
  | 'before_reflection'
  | 'before_revision'
  | 'before_verification';

/** Verdict of a checkpoint; the first that applies, in this order. `delivered` and `go` go on. */
export type CheckpointVerdict = 'shutdown' | 'pause' | 'stop' | 'delivered' | 'go';

/** Event of a run, as it happens. Texts have had their secrets removed. */
export type RunEvent =
  | { readonly type: 'run-start'; readonly resumed: boolean }
  | { readonly type: 'checkpoint'; readonly name: CheckpointName; readonly verdict: CheckpointVerdict }
  | { readonly type: 'comments-delivered'; readonly name: CheckpointName; readonly count: number }
  | { readonly type: 'context-compressed'; readonly startSeq: number; readonly endSeq: number }
  | {
      readonly type: 'step-start';
      readonly step: number;
      /** Present where it is not the model that is asked, but an agent with a loop of its own. */
      readonly by?: 'agent' | undefined;
    }
  | {
      readonly type: 'model-answer';
      readonly step: number;
      readonly by?: 'agent' | undefined;
      readonly text: string;
      /** Names of the tools that it calls, in order. */
      readonly tools: readonly string[];
      readonly usage: TokenUsage;
    }
  | {
      readonly type: 'tool-start';
      readonly step: number;
      readonly toolCallId: string;
      readonly tool: string;
      /** Words of an agent about this call of its own, on one line. Default none. */
      readonly title?: string | undefined;
      readonly args: unknown;
    }
  | {
      /** Comes without a `tool-start` for a call that could not be carried out. */
      readonly type: 'tool-end';
      readonly step: number;
      readonly toolCallId: string;
      readonly tool: string;
      /** Words of an agent about this call of its own, on one line. Default none. */
      readonly title?: string | undefined;
      readonly args: unknown;
      readonly status: 'success' | 'error';
      readonly output: string;
      readonly durationMs: number;
      /** Work that failed although the call was carried out, such as a command with another exit code than 0. Default none. */
      readonly failure?: string | undefined;
    };
