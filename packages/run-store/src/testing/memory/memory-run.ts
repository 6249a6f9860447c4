import type { ListedRuns } from '../../driver.ts';
import type { Json, MessageLike } from '../../journal-model.ts';
import { readSeal, sealLine } from '../../lines/record-line.ts';
import type { RecordPosition } from '../../ports.ts';
import { findFactName } from '../../record/read-record.ts';
import { isRunFact, type KnownFacts, readFactLines } from '../../record/run-facts.ts';
import { createRecordSource, type RecordSource } from '../../record/run-record.ts';
import type { RunMetadata, RunPlace } from '../../run-model.ts';
import { toListedRun } from '../../store/list-runs.ts';
import { isMissing } from '../../store/run-errors.ts';

/** A value as JSON carries it: its caller and its readers may change it afterwards. */
export function copyJson<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}

/** Everything that memory stores of a run: the lines of its record, and the values of its state. */
export class MemoryRun {
  readonly metadata: RunMetadata;
  place: RunPlace = 'running';
  /** Number of the opening that may write. */
  opening = 0;
  /** True once later runs can find it, if it has ended. */
  isIndexed = false;
  /** Without their ends. */
  readonly lines: Buffer[] = [];
  readonly values = new Map<string, Json>();

  constructor(metadata: RunMetadata) {
    this.metadata = metadata;
  }

  /** Place of the last line. */
  get position(): RecordPosition {
    const last = this.lines.at(-1);
    return { line: this.lines.length, check: last === undefined ? '' : readSeal(last, '').check };
  }

  /** Appends the text of a line, with the number of the owner that writes; null for none. */
  append(body: string, owner: number | null): void {
    const { bytes } = sealLine(body, { previous: this.position.check, owner });
    this.lines.push(bytes.subarray(0, -1));
  }

  get facts(): KnownFacts {
    const lines = this.lines.filter((line) => isRunFact(findFactName(line) ?? ''));
    return { ...readFactLines(lines.map(String)), metadata: this.metadata };
  }

  /** Null while it has no end. */
  get outcome(): KnownFacts['outcome'] {
    return this.facts.outcome;
  }

  get record(): RecordSource {
    const { lines } = this;
    return createRecordSource(`memory, run ${this.metadata.uuid}`, async function* ({ line }) {
      for (let at = line; at < lines.length; ) {
        const batch = lines.slice(at);
        at += batch.length;
        yield batch;
      }
    });
  }
}

/** A message of a run in memory was parsed by the caller that appended it. */
export const takeMessage = <Message extends MessageLike>(json: unknown) => json as Message;

/** Runs by uuid. */
interface Places {
  readonly runs: ReadonlyMap<string, MemoryRun>;
}

/** Runs of a place, in the order in which they came there. */
export function listMemoryRuns({ runs }: Places, wanted: RunPlace): ListedRuns {
  const found = [...runs.values()].filter(({ place }) => place === wanted);
  return { found: found.map(({ facts }) => toListedRun(facts)), damaged: [] };
}

/** @throws {ContextStoreError} `invalid` if there is no such run */
export function requireMemoryRun({ runs }: Places, uuid: string): MemoryRun {
  const run = runs.get(uuid);
  if (run === undefined) throw isMissing(uuid, 'memory');
  return run;
}
