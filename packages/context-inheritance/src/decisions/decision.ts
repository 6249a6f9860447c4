/** Origin of a decision. */
export type DecisionSource =
  /**
   * A comment of the thread; `sha256` of its body, in hexadecimal, null if it was not kept. `thread`: key of the thread if it is
   * not the one that runs are filed under, such as a draft of the agent.
   */
  | {
      readonly kind: 'comment';
      readonly commentId: string;
      readonly sha256: string | null;
      readonly thread?: string | null | undefined;
    }
  /** Title and text of the issue; `sha256` of both, as `InheritanceRequest.request` has it. */
  | { readonly kind: 'thread'; readonly sha256: string | null }
  /** The work itself: information for later runs, never an instruction. */
  | { readonly kind: 'agent' };

/** Files that a decision is about. It is stale once a path is gone or the quoted line occurs in none of them. */
export interface DecisionEvidence {
  /** Relative to the root of the repository, with `/`. */
  readonly paths: readonly string[];
  /** One line of one of the files; null for none. */
  readonly quote: string | null;
}

/** Something that an earlier run settled. */
export interface KeyDecision {
  /** Unique among the runs of a thread, such as `a1b2c3d4-1`. */
  readonly id: string;
  readonly text: string;
  /** Question that it settles, such as `language of the admin page`; null if the run did not name it. */
  readonly subject: string | null;
  readonly source: DecisionSource;
  /** True if a trusted user decided it. All others are information. */
  readonly isTrusted: boolean;
  /** Ids of the decisions that it replaces. */
  readonly replaces: readonly string[];
  readonly evidence: DecisionEvidence | null;
  /** The run that settled it first, if a later one only kept it. */
  readonly origin: DecisionOrigin | null;
}

export interface DecisionOrigin {
  readonly runUuid: string;
  /** ISO 8601, UTC. */
  readonly decidedAt: string;
}

/** State of an inherited decision. */
export type DecisionState =
  | { readonly kind: 'open' }
  /** A later decision took its place. */
  | { readonly kind: 'replaced'; readonly by: DecisionSuccessor }
  /** The tree no longer agrees with it. */
  | { readonly kind: 'stale'; readonly reason: 'missing-path' | 'missing-line'; readonly path: string };

export interface DecisionSuccessor extends DecisionOrigin {
  readonly id: string;
  readonly text: string;
}

/** A key decision with the run that settled it. */
export interface InheritedDecision extends KeyDecision, DecisionOrigin {
  readonly state: DecisionState;
}

/** A decision that is not inherited: its comment, or the text of the issue, was changed since. */
export interface RetractedDecision extends KeyDecision, DecisionOrigin {
  readonly reason: 'edited' | 'deleted';
}

/** Open decisions of trusted users on one subject, newest first, none of which replaces another. */
export interface DecisionConflict {
  readonly subject: string;
  readonly decisions: readonly InheritedDecision[];
}
