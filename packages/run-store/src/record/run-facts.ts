import { ContextStoreError } from '../context-store-error.ts';
import type { FactEntry, Json } from '../journal-model.ts';
import { parseMetadata, parseOutcome, type RunOutcome } from '../lines/run-documents.ts';
import { parseSummaryLine, type StoredSummary } from '../lines/summary-line.ts';
import { parseTaskState, type TaskState } from '../lines/task-state.ts';
import { parseToolLine, type ToolEntry } from '../lines/tool-line.ts';
import type { RunMetadata } from '../run-model.ts';
import { createOutboxLedger, type OutboxLedger } from './outbox-ledger.ts';
import { parseFact } from './read-record.ts';

/** State of a run, as the facts of its record say. */
export interface RunFacts {
  /** Null for a record that has lost its first line. */
  readonly metadata: RunMetadata | null;
  /** Null while the run has not ended. */
  readonly outcome: RunOutcome | null;
  /** Null for a run that was never paused. */
  readonly pause: TaskState | null;
  readonly outbox: OutboxLedger;
  /** Values of the run's state that are kept, by name; null where one was removed. */
  readonly states: ReadonlyMap<string, unknown>;
}

/** The facts of a run, with what it is. */
export type KnownFacts = RunFacts & { readonly metadata: RunMetadata };

/** Names of the facts that lists and indexes are made from. All others can be left out of `toRunFacts`. */
export const listedFacts: readonly string[] = ['opened', 'paused', 'resumed', 'ended', 'intent', 'settled'];

/** Facts that are read into `RunFacts`; the others are longer, and more. */
export function isRunFact(name: string): boolean {
  return name === 'state' || listedFacts.includes(name);
}

/** Follows the facts of a record. */
export function createRunFacts(): {
  readonly facts: RunFacts;
  /** @throws {ContextStoreError} `damaged` for a fact of ours that does not say what it must */
  readonly apply: (fact: FactEntry) => void;
} {
  const states = new Map<string, unknown>();
  const outbox = createOutboxLedger();
  const facts: { -readonly [Name in keyof RunFacts]: RunFacts[Name] } = {
    ...{ metadata: null, outcome: null, pause: null },
    ...{ outbox, states },
  };
  const readers: Readonly<Record<string, (data: Json) => void>> = {
    opened: (data) => {
      const { uuid } = data as { readonly uuid?: Json };
      facts.metadata = parseMetadata(data, `The record of run ${uuid}`);
    },
    ended: (data) => {
      facts.outcome = parseOutcome((data as { outcome?: unknown }).outcome);
    },
    paused: (data) => {
      facts.pause = parseTaskState(data);
    },
    resumed: (data) => {
      facts.pause = parseTaskState(data);
      // A pause is no end: its outcome, if one was written, must not be taken for that of the run.
      if (facts.outcome?.status === 'needs_input') facts.outcome = null;
    },
    state: (data) => {
      const { name, value } = data as { name: string; value: Json };
      states.set(name, value);
    },
  };
  return {
    facts,
    apply: (fact) =>
      readFact(fact, () => {
        readers[fact.name]?.(fact.data);
        outbox.apply(fact);
      }),
  };
}

/** Reads what the lines of facts say. @throws {ContextStoreError} as `apply` */
export function readFactLines(lines: Iterable<string>): RunFacts {
  const { facts, apply } = createRunFacts();
  for (const line of lines) apply(parseFact(line));
  return facts;
}

/** The line of `tools.jsonl` or `summaries.jsonl` that a fact stands for. */
function toProjectedLine({ data, timestamp }: FactEntry): object {
  return { ...(data as object), timestamp };
}

export function isToolFact(name: string): boolean {
  return name === 'tool-started' || name === 'tool-finished';
}

export function parseToolFact(fact: FactEntry): ToolEntry {
  return readFact(fact, () => parseToolLine(toProjectedLine(fact)));
}

export function parseSummaryFact(fact: FactEntry): StoredSummary {
  return readFact(fact, () => parseSummaryLine(toProjectedLine(fact)));
}

function readFact<Result>({ name }: FactEntry, read: () => Result): Result {
  try {
    return read();
  } catch (cause) {
    if (ContextStoreError.isInstance(cause)) throw cause;
    const message = `A fact "${name}" of a run is incomplete. Put the record back from a copy, or move it away.`;
    throw new ContextStoreError(message, { code: 'damaged', cause });
  }
}
