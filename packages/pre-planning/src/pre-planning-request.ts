/** Words of a person on the thread. */
export interface RequestComment {
  readonly author: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly body: string;
  /** Whether this person may steer the agent; the words of others are information (decision X11). */
  readonly isTrusted: boolean;
}

/** What is asked of the agent, as the thread says it. Texts come cleaned by the caller. @see seed 004 §3.2.1 */
export interface PrePlanningRequest {
  /** Who opened it; null when that is not known. */
  readonly author: string | null;
  /** Whether its author may steer the agent (decision X11). */
  readonly isTrusted: boolean;
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
  /** Oldest first. */
  readonly comments: readonly RequestComment[];
  /** What earlier runs on the thread left; null when there were none. */
  readonly history: string | null;
}
