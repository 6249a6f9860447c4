/**
 * The conversation of an issue as seed 000 writes it: JSON in snake_case, ready to be stored or sent.
 *
 * @see seed 000 §2.1
 */
export interface ConversationContext {
  readonly issue: ConversationIssue;
  /** The issue itself first, then the comments that were kept, oldest first. */
  readonly conversation: readonly ConversationEntry[];
  readonly context_summary: ConversationSummary;
}

export interface ConversationIssue {
  readonly number: number;
  readonly title: string;
  /** The issue's body, as far as it fits the budget; empty when nothing was written. */
  readonly description: string;
  readonly labels: readonly string[];
  /** As received (ISO 8601); null only in a context made by `toMinimalContext`. */
  readonly created_at: string | null;
  readonly updated_at: string | null;
}

/** A post of the conversation. */
export interface ConversationEntry {
  /** `assistant` for what the agent itself wrote, `user` for everybody else. */
  readonly role: 'user' | 'assistant';
  readonly content: string;
  readonly metadata: ConversationMetadata;
}

export interface ConversationMetadata {
  /** Login of the author; `ghost`, as on GitHub, when the account was deleted. */
  readonly author: string;
  readonly created_at: string | null;
  /** A number, as on GitHub and GitLab. Text only on trackers whose ids are not numbers. */
  readonly id: number | string;
  /** Tells whether the comment reports that a task is done. Always false for the issue itself. */
  readonly is_completion: boolean;
}

/** Counts of the conversation, and whether anything is missing. */
export interface ConversationSummary {
  /** All comments of the issue, those left out included. */
  readonly total_comments: number;
  /** True exactly when comments were left out, or a text was cut to fit the budget. */
  readonly truncated: boolean;
  /** Date of the oldest comment that was kept; null when there is none. */
  readonly oldest_included: string | null;
}
