/** Words of a person on the thread. */
export interface RequestComment {
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
