/** State of a task, as a row of the board shows it. */
export type RowState = 'running' | 'waiting' | 'paused' | 'in_review' | 'ended';

/** Outcome of a run. */
export type Outcome =
  | 'completed'
  | 'answered'
  | 'nothing_to_change'
  | 'partial'
  | 'needs_input'
  | 'stopped'
  | 'failed';

/** One task on the board: a run, or a thread that waits for one. */
export interface BoardRow {
  /** Identifies the row for as long as it is there: the uuid of a run, or the key of a thread that waits. */
  readonly id: string;
  /** Uuid of the run; null for a thread that waits for its first one. */
  readonly uuid: string | null;
  /** Key of the thread, `github_issue:acme:shop:42`. */
  readonly threadKey: string;
  /** `acme/shop#42` */
  readonly name: string;
  readonly repository: string | null;
  readonly title: string | null;
  /** Address of the thread on its platform; null where it has none. */
  readonly url: string | null;
  readonly state: RowState;
  /** Null while it has not ended. */
  readonly status: Outcome | null;
  /** Milliseconds since 1970 at which it came into this state; null where nobody knows. */
  readonly since: number | null;
  /** Why it waits or is paused, in words for people; null where it does not. */
  readonly reason: string | null;
  /** Progress by its plan or in pre-planning; null without one. */
  readonly progress: RowProgress | null;
  readonly step: number | null;
  /** Tool that runs now. */
  readonly tool: string | null;
  readonly tokens: number | null;
  /** Millionths of the currency. */
  readonly costMicros: number | null;
}

/** Progress of a run. */
export interface RowProgress {
  /** Phase in the words of the record, such as `collection` or `execution`. */
  readonly phase: string;
  readonly done: number;
  readonly total: number;
}

/** Part of the board that a page shows. */
export interface BoardView {
  /** Number of rows in each state, whatever is shown. */
  readonly counts: Readonly<Record<RowState, number>>;
  /** Rows of the page, in the order running, waiting, paused, ended; the latest of those that ended first. */
  readonly rows: readonly BoardRow[];
  /** Continues after the last row; null at the end. */
  readonly next: string | null;
  /** Repositories that have rows, by name, with their number. */
  readonly repositories: readonly { readonly name: string; readonly count: number }[];
  /** Reason that holds the queue back; null where nothing does. */
  readonly hold: { readonly reason: string; readonly seconds: number } | null;
  readonly budgets: readonly BudgetView[];
}

/** Something that runs out: requests to a platform, or money. */
export interface BudgetView {
  /** `requests` are those that a platform allows; `money` is in millionths of the currency. */
  readonly kind: 'requests' | 'money';
  /** Platform, or owner of the account, such as `github.com` or `month 2026-11`. */
  readonly name: string;
  /** Null where only the use is known. */
  readonly left: number | null;
  readonly limit: number | null;
  /** Milliseconds since 1970 at which it is full again; null where nobody knows. */
  readonly resetsAt: number | null;
  /** Currency of money; null for requests. */
  readonly currency: string | null;
}

/** Rows that are asked for. */
export interface BoardQuery {
  readonly state: RowState | null;
  readonly repository: string | null;
  /** Part of the name or the title, whatever the case. */
  readonly text: string | null;
  /** Continues here; null for the beginning. */
  readonly after: string | null;
  /** At most so many rows. */
  readonly limit: number;
}

/** Comment on its way through a run. */
export interface CommentPassage {
  readonly id: string;
  readonly kind: 'added' | 'edited' | 'deleted';
  readonly author: string | null;
  /** Page of the comment; null where it has none. */
  readonly url: string | null;
  /** Text as the record has it; null where it has none. */
  readonly body: string | null;
  /** Milliseconds since 1970 of each moment; null where it has not come, or nobody wrote it down. */
  readonly postedAt: number | null;
  readonly seenAt: number | null;
  readonly deliveredAt: number | null;
  /** Number of the model request that had it; null before. */
  readonly request: number | null;
  readonly answeredAt: number | null;
}

/** Step of the timeline. */
export interface TimelineEntry {
  /** Number of its line in the record; identifies it. */
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly kind: 'message' | 'tool' | 'summary' | 'comment' | 'plan' | 'state';
  /** Short name: a role, a tool, a phase, a fact. */
  readonly name: string;
  /** Text that was said or given back, cut at `textLimit` characters by whoever reads the record. */
  readonly text: string;
  /** Number of characters that were cut. */
  readonly cut: number;
  /** Arguments of a tool, as JSON; null for what is no call. */
  readonly args: string | null;
  readonly status: 'started' | 'success' | 'error' | null;
  readonly durationMs: number | null;
  readonly tokens: number | null;
  readonly costMicros: number | null;
}

/** Assumption of a run, and what became of it. */
export interface AssumptionView {
  /** `A1` */
  readonly id: string;
  readonly text: string;
  /** 0 to 1; null where none was given. */
  readonly confidence: number | null;
  readonly outcome: 'open' | 'confirmed' | 'rejected';
  readonly reason: string | null;
}

/** Plan of a run as it is now, with its revisions. */
export interface PlanView {
  readonly goal: string;
  readonly phase: string;
  readonly actions: readonly {
    readonly id: string;
    readonly text: string;
    readonly tool: string | null;
    readonly state: 'open' | 'started' | 'succeeded' | 'failed' | 'dropped';
    readonly detail: string | null;
  }[];
  readonly revisions: readonly {
    readonly at: number;
    readonly reason: string;
    readonly changes: readonly string[];
  }[];
  readonly verifications: readonly {
    readonly at: number;
    readonly passed: boolean;
    readonly issues: readonly string[];
  }[];
}

/** Sum of what a run has cost by a moment. */
export interface CostPoint {
  readonly at: number;
  readonly costMicros: number;
  readonly tokens: number;
}

/** One run with all that its record says. */
export interface RunView {
  readonly row: BoardRow;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number | null;
  /** Facts about it by name, such as model, branch, request; in order. */
  readonly facts: readonly { readonly name: string; readonly value: string; readonly url: string | null }[];
  /** Reason and words with which it ended; null while it has not. */
  readonly outcome: { readonly reason: string | null; readonly text: string | null } | null;
  readonly comments: readonly CommentPassage[];
  readonly assumptions: readonly AssumptionView[];
  readonly plan: PlanView | null;
  readonly costs: readonly CostPoint[];
  readonly currency: string | null;
  /** Controls that make sense for it now. */
  readonly controls: readonly RunControl[];
  /** Part of the timeline, oldest first. */
  readonly timeline: readonly TimelineEntry[];
  /** Number of entries before and after that part. */
  readonly before: number;
  readonly after: number;
}

/** Lines of a record as they are written. */
export interface RawLines {
  /** Number of the first one, from 1. */
  readonly from: number;
  readonly lines: readonly string[];
  readonly total: number;
}

/** Thread with the lineage of its runs. */
export interface ThreadView {
  readonly key: string;
  readonly name: string;
  readonly title: string | null;
  readonly url: string | null;
  /** Oldest first. */
  readonly runs: readonly LineageEntry[];
}

/** Run in the lineage of its thread. */
export interface LineageEntry {
  readonly row: BoardRow;
  /** Uuids of the runs from which it inherited. */
  readonly inheritedFrom: readonly string[];
  /** Summary that it left; null where it left none. */
  readonly summary: string | null;
  /** Decisions that it left. */
  readonly decisions: readonly {
    readonly text: string;
    /** `agent`: the agent decided it. */
    readonly source: 'comment' | 'thread' | 'agent';
    /** Comment that it is based on; null for another source. */
    readonly commentId: string | null;
    /** Address of the source; null if it is not known. */
    readonly url: string | null;
    /** `stands`: in effect; `information`: no trusted user decided it; otherwise the reason why it is not in effect. */
    readonly standing:
      | 'stands'
      | 'information'
      | 'source-edited'
      | 'source-deleted'
      | 'replaced'
      | 'stale'
      | 'unknown';
    /** Text of the decision that replaces it, or the file that changed; null for none. */
    readonly detail: string | null;
  }[];
}

/** Condition of a part that the work rests on. */
export interface ConditionView {
  readonly part: string;
  readonly state: 'ok' | 'waiting' | 'failed';
  readonly since: number | null;
  readonly reason: string | null;
}

/** Health of the whole. */
export interface HealthView {
  readonly status: 'ready' | 'degraded' | 'not-ready' | 'ending';
  readonly conditions: readonly ConditionView[];
  readonly budgets: readonly BudgetView[];
  readonly model: string | null;
  readonly queue: {
    readonly waiting: number;
    readonly hold: { readonly reason: string; readonly seconds: number } | null;
  };
  /** Processes at work in the place. */
  readonly owners: readonly {
    readonly number: number;
    readonly host: string;
    readonly pid: number;
    readonly isThis: boolean;
  }[];
  readonly version: string;
  readonly startedAt: number;
}

/** Act of a person on a run. */
export type RunControl = 'pause' | 'resume' | 'stop' | 'retry' | 'settle' | 'approve' | 'budget';
