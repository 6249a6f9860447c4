import type { CallOptions } from '@agent/platforms';
/**
 * Result of a call of a tool. `isTransient`: the same call may succeed a moment later. `refused`: nothing was
 * called, because there is no such tool or it does not only read.
 */
export type ToolAnswer =
  | { readonly status: 'success'; readonly output: string }
  | { readonly status: 'failed'; readonly reason: string; readonly isTransient: boolean }
  | { readonly status: 'refused'; readonly reason: string };

/** A tool as the model is told of it. */
export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  /** JSON schema of its parameters. */
  readonly parameters: unknown;
}

/** Tools that change nothing anywhere; a call of any other is refused. Calls reject only with the signal's reason. */
export interface ReadOnlyTools {
  readonly list: () => Promise<readonly ToolDescription[]>;
  readonly call: (
    request: { readonly tool: string; readonly parameters: Readonly<Record<string, unknown>> } & CallOptions,
  ) => Promise<ToolAnswer>;
}

/**
 * Keeps details too long for a prompt, under the id of what was wanted: letters, digits, `_` and `-`, at most 64.
 * @see decision E21
 */
export interface DetailStore {
  readonly save: (infoId: string, text: string) => Promise<void>;
}

/** Words of a person on the thread. */
export interface RequestComment {
  /** Id on the platform. Default: not known. */
  readonly id?: string | undefined;
  readonly author: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly body: string;
  /** Tells whether this person may steer the agent; the words of others are information (decision X11). */
  readonly isTrusted: boolean;
}

/** Request to the agent, as the thread says it. Texts come cleaned by the caller. @see seed 004 §3.2.1 */
export interface PrePlanningRequest {
  /** Login of its author; null when that is not known. */
  readonly author: string | null;
  /** Tells whether its author may steer the agent (decision X11). */
  readonly isTrusted: boolean;
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
  /** Oldest first. */
  readonly comments: readonly RequestComment[];
  /** Text that earlier runs on the thread left; null when there were none. */
  readonly history: string | null;
}
