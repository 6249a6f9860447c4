import { ContextStoreError } from '../context-store-error.ts';
import type { NewRecord, RunDriver, TakenRun } from '../driver.ts';
import type { NewFact } from '../journal/journal-writer.ts';
import { formatFact, sealLine } from '../lines/record-line.ts';
import type { Ownership, RecordPosition } from '../ports.ts';
import { damageFact, toCutDamage } from '../record/damage.ts';
import { type BrokenLine, findFactName } from '../record/read-record.ts';
import type { RecordWriter } from '../record/record-writer.ts';
import type { RunPlace } from '../run-model.ts';
import { toListedRun } from '../store/list-runs.ts';
import { isMissing, wasTaken } from '../store/run-errors.ts';
import { toIndexEntry } from './index-rows.ts';
import { listRowFacts, openRecordRows, readRowFacts, requireRowVersion } from './record-rows.ts';
import {
  createRunRows,
  isNoMember,
  type RunRow,
  type RunRows,
  type SealedText,
  type Writer,
} from './run-rows.ts';
import type { Schema } from './schema.ts';
import { createStateRows } from './state-rows.ts';

/** Options of a driver in a database. */
export interface PostgresRunDriverOptions {
  readonly schema: Schema;
  /** Process that writes; each run that it opens gets a number of its own. */
  readonly owner: Pick<Ownership, 'number'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A run that was taken, with the opening that writes to it. */
interface TakenRows extends TakenRun {
  readonly writer: Writer;
}

/** Stores runs as rows. The process that opened a run last writes to it. */
export class PostgresRunDriver implements RunDriver {
  readonly #schema: Schema;
  readonly #member: number;
  readonly #now: () => number;
  readonly #rows: ReturnType<typeof createRunRows>;
  readonly #states: ReturnType<typeof createStateRows>;
  /** Openings that were not left, put away or taken over. */
  readonly #atWork = new Map<string, Writer>();

  constructor({ schema, owner, now }: PostgresRunDriverOptions) {
    this.#schema = schema;
    this.#member = owner.number;
    this.#now = now;
    this.#rows = createRunRows(schema);
    this.#states = createStateRows(schema);
  }

  /** Openings at work, for the lease of their process. */
  readonly listOpenings = (): readonly Writer[] => [...this.#atWork.values()];

  readonly locate: RunDriver['locate'] = (place) =>
    place === 'completed' ? `${this.#schema.location}, among the ended runs` : this.#schema.location;

  readonly find: RunDriver['find'] = async (uuid) => {
    const row = await this.#findRow(uuid);
    if (row === null) return null;
    return {
      ...{ place: row.place, contextPath: `paused/${uuid}`, record: openRecordRows(this.#schema, uuid) },
      readFacts: () => readRowFacts(this.#schema, uuid),
      append: (fact) => this.#append(uuid, { fact, row }),
    };
  };

  readonly create: RunDriver['create'] = async ({ metadata, body, alone }: NewRecord) => {
    const writer = await this.#toWriter(metadata.uuid);
    const first = sealText(body, { line: 0, check: '', owner: writer.owner });
    const isMade = await this.#rows.insert(writer, { metadata, first, alone });
    return isMade ? this.#toTaken(writer, first) : null;
  };

  readonly take: RunDriver['take'] = async (uuid, from) => {
    const { writer, end } = await this.#takeOver(uuid, from);
    return this.#toTaken(writer, end);
  };

  readonly move: RunDriver['move'] = async (run, to) => {
    const { uuid, writer } = run as TakenRows;
    if (!(await this.#rows.move(writer, to))) throw await this.#isRefused(uuid);
    this.#forget(writer);
  };

  readonly list: RunDriver['list'] = async (place) => {
    const { found, damaged } = await listRowFacts(this.#schema, { place });
    return { found: found.map(toListedRun), damaged };
  };

  readonly openState: RunDriver['openState'] = (uuid, { append }) =>
    this.#states.open(uuid, { append, member: this.#member });

  readonly index: RunDriver['index'] = async (run) => {
    const entry = await toIndexEntry(this.#schema, run);
    const { uuid } = run.metadata;
    if (!(await this.#rows.index({ uuid, member: this.#member }, entry))) throw isNoMember();
  };

  /** @throws {ContextStoreError} `owned` if this process may not write any more */
  async #findRow(uuid: string): Promise<RunRow | null> {
    const found = await this.#rows.find(uuid, this.#member);
    if (found?.isMember === false) throw isNoMember();
    return found;
  }

  /** Appends a fact to a run that is not open here, behind the end that was found. A run at work is taken for that. */
  async #append(
    uuid: string,
    { fact, row }: { readonly fact: NewFact; readonly row: RunRow },
  ): Promise<void> {
    for (let found: RunRow | null = row; found !== null; found = await this.#findRow(uuid)) {
      const { writer, end } =
        found.place === 'running'
          ? await this.#takeOver(uuid, 'running')
          : { writer: { uuid, owner: found.owner, member: this.#member }, end: found };
      const next = sealText(this.#format(fact), { ...end, owner: writer.owner });
      const result = await this.#rows.append(writer, { previous: end.check, next });
      if (result === 'appended') return;
      if (result === 'lost') throw isNoMember();
      // Another process has written to it in this moment.
    }
    throw isMissing(uuid, this.#schema.location);
  }

  /** Numbers an opening of a run, which writes nothing before it has taken the run. */
  async #toWriter(uuid: string): Promise<Writer> {
    return { uuid, member: this.#member, owner: await this.#rows.nextOwner() };
  }

  /** Lets a new opening write to a run. */
  async #takeOver(
    uuid: string,
    from: Exclude<RunPlace, 'completed'>,
  ): Promise<{ readonly writer: Writer; readonly end: RecordPosition }> {
    const writer = await this.#toWriter(uuid);
    const end = await this.#rows.take(writer, from);
    if (end === null) throw await this.#isRefused(uuid);
    return { writer, end };
  }

  async #isRefused(uuid: string): Promise<Error> {
    return (await this.#findRow(uuid)) === null ? isMissing(uuid, this.#schema.location) : wasTaken(uuid);
  }

  #toTaken(writer: Writer, end: RecordPosition): TakenRows {
    const { uuid } = writer;
    const record = openRecordRows(this.#schema, uuid);
    const onTaken = () => this.#forget(writer);
    let rows = createRowWriter(this.#rows, { writer, end, onTaken });
    let isVersionKnown = false;
    this.#atWork.set(uuid, writer);
    return {
      ...{ uuid, writer, record, location: record.location },
      begin: async (fact) => {
        if (fact === null) return;
        if (!isVersionKnown) await requireRowVersion(this.#schema, uuid);
        isVersionKnown = true;
        await rows.append(this.#format(fact));
      },
      cut: async (broken, states) => {
        rows = createRowWriter(this.#rows, {
          writer,
          end: await this.#cut(broken, { writer, states }),
          onTaken,
        });
      },
      openWriter: async () => ({ record: rows, follower: null }),
      release: onTaken,
    };
  }

  #forget(writer: Writer): void {
    if (this.#atWork.get(writer.uuid) === writer) this.#atWork.delete(writer.uuid);
  }

  /** Cuts the record, and resolves with its end, which says so. `states`: values from before the cut. */
  async #cut(
    broken: BrokenLine,
    { writer, states }: { readonly writer: Writer; readonly states: ReadonlyMap<string, unknown> },
  ): Promise<RecordPosition> {
    const { line, previous } = broken;
    const { cut, texts } = await this.#rows.readCut(writer.uuid, line);
    const data = await toCutDamage(broken, { file: `cut_lines, cut ${cut}`, texts });
    const body = this.#format({ name: damageFact, data });
    const next = sealText(body, { line: line - 1, check: previous, owner: writer.owner });
    const kept = [...states].map(([name, value]) => [name, JSON.stringify(value)]);
    await this.#rows.cut(writer, { cut, next, states: JSON.stringify(Object.fromEntries(kept)) });
    return next;
  }

  #format(fact: NewFact): string {
    return formatFact({ timestamp: new Date(this.#now()).toISOString(), ...fact });
  }
}

/** Seals the text of a JSON object as the line behind this one. */
function sealText(body: string, after: RecordPosition & { readonly owner: number }): SealedText {
  const { bytes, check } = sealLine(body, { previous: after.check, owner: after.owner });
  const fact = findFactName(bytes);
  const text = bytes.toString('utf8', 0, bytes.length - 1);
  return { line: after.line + 1, check, text, fact, state: fact === 'state' ? readStateFact(body) : null };
}

function readStateFact(body: string): SealedText['state'] {
  const { data } = JSON.parse(body) as { data: { name: string; value: unknown } };
  return { name: data.name, value: JSON.stringify(data.value) };
}

interface RowWriterOptions {
  readonly writer: Writer;
  readonly end: RecordPosition;
  /** Called once another opening writes to the run. */
  readonly onTaken: () => void;
}

/** Appends lines for one opening of a run. Not for calls at the same time. */
function createRowWriter(rows: RunRows, { writer, end, onTaken }: RowWriterOptions): RecordWriter {
  const { uuid, owner } = writer;
  let { line, check } = end;
  let unsure: SealedText | null = null;
  return {
    append: async (body) => {
      const next = sealText(body, { line, check, owner });
      if (unsure !== null) await rows.takeBack(writer, { last: unsure, before: { line, check } });
      unsure = next;
      const result = await rows.append(writer, { previous: check, next });
      if (result === 'lost') throw isNoMember();
      if (result === 'taken') {
        onTaken();
        throw wasTaken(uuid);
      }
      if (result === 'other-end') throw isElsewhere(uuid);
      unsure = null;
      ({ line, check } = next);
    },
    position: () => ({ line, check }),
  };
}

function isElsewhere(uuid: string): ContextStoreError {
  const message = `The record of run ${uuid} no longer ends where this process last wrote: was the database restored from a backup? This process writes nothing more to it. The next process that opens it continues from its current end.`;
  return new ContextStoreError(message, { code: 'damaged' });
}
