import { type CommentLedger, emptyLedger, withEntries } from './comment-ledger.ts';

/** Counters for the final report. @see seed 001 §6.2 */
export interface DetectionStatistics {
  /** Looks that found something. */
  readonly detection_events: number;
  /** Changes that were found: new comments, edits and deletions. */
  readonly detected_comments: number;
  /** Changes that reached the context. */
  readonly added_comments: number;
  /** Looks and deliveries that failed, and comments that could not be read. */
  readonly errors: number;
}

/** All that a manager remembers of a thread between two checks, and over a restart. */
export interface DetectionMemory {
  readonly ledger: CommentLedger;
  /** Place where the next look begins. */
  readonly cursor: string | null;
  /** False until a listing has said what is history. */
  readonly initialized: boolean;
  /** Time until which everything is history; null when every comment of it is in the ledger. */
  readonly historyUntil: string | null;
  /** When the last look succeeded; ISO 8601, by our own clock. */
  readonly lastCheckTime: string | null;
  /** Ids of comments that the agent posted. */
  readonly ownIds: ReadonlySet<string>;
  readonly statistics: DetectionStatistics;
}

export const emptyMemory: DetectionMemory = {
  ledger: emptyLedger,
  cursor: null,
  initialized: false,
  historyUntil: null,
  lastCheckTime: null,
  ownIds: new Set(),
  statistics: { detection_events: 0, detected_comments: 0, added_comments: 0, errors: 0 },
};

/** The memory with some of its counters raised. */
export function countUp(memory: DetectionMemory, by: Partial<DetectionStatistics>): DetectionMemory {
  const { statistics } = memory;
  const raised = Object.fromEntries(
    Object.entries(statistics).map(([name, count]) => [
      name,
      count + (by[name as keyof DetectionStatistics] ?? 0),
    ]),
  );
  return { ...memory, statistics: { ...statistics, ...raised } };
}

/** The memory in which this comment is the agent's own. */
export function withOwnComment(memory: DetectionMemory, id: string): DetectionMemory {
  const entry = memory.ledger.entries.get(id);
  const ledger = withEntries(memory.ledger, entry === undefined ? [] : [{ ...entry, excluded: true }]);
  return { ...memory, ledger, ownIds: new Set([...memory.ownIds, id]) };
}
