import type { CallOptions } from '@agent/platforms';
import type { TokenUsage } from '../model.ts';

/** Session of an agent that runs for itself, as it was opened. */
export interface OpenedSession {
  readonly id: string;
  /** False where the agent keeps no session of that name: it knows nothing of what it was told. */
  readonly isKept: boolean;
  /** All that the agent's conversation holds of the user, as it replays it; null for an agent that cannot. */
  readonly userText: string | null;
  /** Name and version that the agent gives itself, bounded; null where it gives none. */
  readonly agent: { readonly name: string; readonly version: string | null } | null;
}

/** Call of a tool by an agent that carries it out itself. */
export interface AgentToolCall {
  readonly toolCallId: string;
  /** Name of letters, digits, `_` and `-`, which a provider of models takes as that of a tool. */
  readonly tool: string;
  /** Words of the agent about this call, on one line; null where it says none. */
  readonly title: string | null;
  readonly args: unknown;
}

/** Step of an agent's own plan. */
export interface PlanStep {
  readonly text: string;
  readonly status: 'pending' | 'in_progress' | 'completed';
}

/** Options of `Executor.open`. */
export interface OpenOptions extends CallOptions {
  /** Cost of the session so far, as the agent told it, in millionths. Default 0. */
  readonly costMicros?: number | undefined;
}

/** Reason for which a turn of an agent ended. */
export type TurnEnd = 'done' | 'cut-off' | 'refused' | 'canceled';

/** Something that happens in a turn of an agent. */
export type ExecutorEvent =
  | { readonly type: 'text'; readonly text: string }
  /** Thinks, or reports progress of a call: a sign of life. `chars`: how much was said, default 1; thoughts without end are no work. */
  | { readonly type: 'activity'; readonly chars?: number | undefined }
  | ({ readonly type: 'tool-start' } & AgentToolCall)
  | ({
      readonly type: 'tool-end';
      readonly status: 'success' | 'error';
      readonly output: string;
      /** True for one of which the agent did not say what became of it: its words since then are not about it. Default false. */
      readonly wasLeft?: boolean | undefined;
    } & AgentToolCall)
  /** Usage since the last one; with a cost, 0 too, where the agent tells what it spends. */
  | { readonly type: 'usage'; readonly usage: TokenUsage }
  /** The agent's plan, as it is now. */
  | { readonly type: 'plan'; readonly steps: readonly PlanStep[] }
  /** A permission was refused, and why, for people. */
  | { readonly type: 'refusal'; readonly tool: string; readonly reason: string }
  | { readonly type: 'end'; readonly reason: TurnEnd };

/**
 * An agent with a loop and a memory of its own, which works by turns. What it rejects with is an `AgentFailure`: after
 * one it is opened again, and says what its conversation holds.
 */
export interface Executor {
  /** Starts the agent anew, with its session; a new session for null, or for one that it does not keep. */
  readonly open: (session: string | null, options: OpenOptions) => Promise<OpenedSession>;
  /** Takes one turn with one message of the user. An abort of the signal ends it early, by `canceled`. */
  readonly turn: (texts: readonly string[], options: CallOptions) => AsyncIterable<ExecutorEvent>;
  /**
   * Tells the turn that runs something. `handed`: the agent has it, which does not mean that its conversation does; `later`: it was not
   * handed; `unsure`: nobody knows.
   */
  readonly steer: (text: string, options: CallOptions) => Promise<'handed' | 'later' | 'unsure'>;
  readonly close: () => Promise<void>;
}

/**
 * Reason for which an agent cannot work: it was not started, it ended, it is silent, it refused what it was asked, it has to be signed in,
 * it speaks another version of the protocol, it opened no session, it could not take a turn, or its words do not fit the protocol.
 */
export type AgentFailureCode =
  | 'not-started'
  | 'ended'
  | 'silent'
  | 'refused'
  | 'needs-login'
  | 'other-version'
  | 'no-session'
  | 'turn-failed'
  | 'nonsense';

const mark = Symbol.for('@agent/runner/AgentFailure');

/** Failure of an agent, not of its work. */
export class AgentFailure extends Error {
  readonly code: AgentFailureCode;
  /** Words of the agent or the system about it, for people; null for none. Not cleaned. */
  readonly said: string | null;
  readonly [mark] = true;

  constructor(
    message: string,
    {
      code,
      said = null,
      cause,
    }: { readonly code: AgentFailureCode; readonly said?: string | null; readonly cause?: unknown },
  ) {
    super(message, { cause });
    this.name = 'AgentFailure';
    this.code = code;
    this.said = said;
  }

  static isInstance(error: unknown): error is AgentFailure {
    return typeof error === 'object' && error !== null && mark in error;
  }
}
