import { ContextStoreError, type Ownership, type RecordPosition } from '@agent/run-store';
import {
  createState,
  damageFact,
  describeEndedRun,
  findFactName,
  formatFact,
  type NewFact,
  type RunDriver,
  requireAlone,
  sealLine,
  type TakenRun,
  toCutDamage,
  toRunFacts,
} from '@agent/run-store/driver';
import { createKeyedTurns } from '@agent/text/waiting';
import {
  createSqliteRunLines,
  findRun,
  listRuns,
  openRecord,
  readFacts,
  readLines,
  readState,
  requireRun,
} from './read-runs.ts';
import type { RunDatabase } from './run-database.ts';

/** Options of a driver on SQLite. */
export interface SqliteRunDriverOptions {
  readonly database: RunDatabase;
  /** Was admitted by `admitOwner`. */
  readonly owner: Ownership;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A run that was taken, with the number of its opening. */
interface TakenRow extends TakenRun {
  readonly opening: number;
}

/** Stores runs as rows. Each write is a transaction that compares the number of the owner, and of the run's opening. */
export class SqliteRunDriver implements RunDriver {
  readonly #database: RunDatabase;
  readonly #owner: Ownership;
  readonly #now: () => number;
  /** Reads and writes of values, one after the other for each run. */
  readonly #turns = createKeyedTurns();

  constructor({ database, owner, now }: SqliteRunDriverOptions) {
    this.#database = database;
    this.#owner = owner;
    this.#now = now;
  }

  readonly locate: RunDriver['locate'] = (place) => `${this.#database.path}, ${place}`;

  readonly find: RunDriver['find'] = async (uuid) => {
    const run = await this.#write(() => findRun(this.#database, uuid));
    if (run === undefined) return null;
    return {
      ...{ place: run.place, contextPath: `paused/${uuid}`, record: openRecord(this.#database, uuid) },
      readFacts: async () => readFacts(this.#database, uuid),
      append: (fact) => this.#write(() => this.#appendFact(uuid, fact)),
    };
  };

  readonly create: RunDriver['create'] = ({ metadata, body, alone }) =>
    this.#write(() => {
      const { uuid, taskKeyHash, host, createdAt } = metadata;
      if (findRun(this.#database, uuid) !== undefined) return null;
      if (alone) requireAlone(listRuns(this.#database, 'running'), metadata);
      this.#database.run(
        "INSERT INTO runs VALUES (?, 'running', 1, ?, ?, ?, ?, NULL)",
        ...[uuid, taskKeyHash, host, createdAt, createdAt],
      );
      return this.#toTaken(uuid, 1, this.#append(uuid, body, { line: 0, check: '' }));
    });

  readonly take: RunDriver['take'] = (uuid, from) =>
    this.#write(() => {
      const { place, opening } = requireRun(this.#database, uuid);
      if (place !== from) throw wasTaken(uuid);
      const set = "UPDATE runs SET place = 'running', opening = ? WHERE uuid = ?";
      this.#database.run(set, opening + 1, uuid);
      return this.#toTaken(uuid, opening + 1, this.#findEnd(uuid));
    });

  readonly move: RunDriver['move'] = ({ uuid, opening }: TakenRun & { readonly opening?: number }, to) =>
    this.#write(() => {
      this.#requireOpening(uuid, opening);
      const set = 'UPDATE runs SET place = ?, moved_at = ? WHERE uuid = ?';
      this.#database.run(set, to, this.#timestamp(), uuid);
    });

  readonly list: RunDriver['list'] = async (place) => listRuns(this.#database, place);

  readonly openState: RunDriver['openState'] = (uuid, { append }) =>
    createState({
      inTurn: (_, work) => this.#turns(uuid, work),
      read: async (name) => readState(this.#database, uuid, name),
      write: (value) => (value.sync ? append(value.fact) : this.#write(() => this.#writeState(uuid, value))),
    });

  readonly index: RunDriver['index'] = async (run) => {
    const entry = await describeEndedRun(run, createSqliteRunLines(this.#database));
    const set = 'UPDATE runs SET indexed = ? WHERE uuid = ?';
    const indexed = entry && JSON.stringify(entry);
    await this.#write(() => this.#database.run(set, indexed, run.metadata.uuid));
  };

  async #write<Result>(work: () => Result): Promise<Result> {
    await this.#owner.requireOwned();
    return this.#database.writeAs(this.#owner.number, work);
  }

  #requireOpening(uuid: string, opening: number | undefined): void {
    if (requireRun(this.#database, uuid).opening !== opening) throw wasTaken(uuid);
  }

  #toTaken(uuid: string, opening: number, start: RecordPosition): TakenRow {
    let end = start;
    const write = (work: () => RecordPosition) =>
      this.#write(() => {
        this.#requireOpening(uuid, opening);
        return work();
      });
    const append = async (body: string) => {
      end = await write(() => this.#append(uuid, body, end));
    };
    const record = openRecord(this.#database, uuid);
    return {
      ...{ uuid, opening, record, location: record.location },
      begin: async (fact) => {
        // A record of another version stays as it is.
        toRunFacts(uuid, readLines(this.#database, uuid, { from: 1, limit: 1 }));
        if (fact !== null) await append(this.#format(fact));
      },
      cut: async (broken, states) => {
        const texts = readLines(this.#database, uuid, { from: broken.line });
        const data = await toCutDamage(broken, { file: 'table cut_lines', texts });
        end = await write(() => {
          this.#keepCutLines(uuid, broken.line);
          for (const [name, value] of states) this.#writeState(uuid, { name, value });
          const body = this.#format({ name: damageFact, data });
          return this.#append(uuid, body, { line: broken.line - 1, check: broken.previous });
        });
      },
      openWriter: async () => ({ record: { append, position: () => end }, follower: null }),
    };
  }

  /** Appends the text of a line behind this one. What a write without an answer left there is removed. */
  #append(uuid: string, body: string, { line, check: previous }: RecordPosition): RecordPosition {
    const { bytes, check } = sealLine(body, { previous, owner: this.#owner.number });
    const fact = findFactName(bytes);
    this.#database.run('DELETE FROM lines WHERE uuid = ? AND line > ?', uuid, line);
    const text = bytes.toString('utf8', 0, bytes.length - 1);
    this.#database.run('INSERT INTO lines VALUES (?, ?, ?, ?, ?)', uuid, line + 1, fact, check, text);
    if (fact === 'state') this.#writeState(uuid, JSON.parse(body).data);
    return { line: line + 1, check };
  }

  /** Appends a fact to a run that is not open here. */
  #appendFact(uuid: string, fact: NewFact): void {
    requireRun(this.#database, uuid);
    // If another process has it open, that process writes nothing more to it.
    this.#database.run("UPDATE runs SET opening = opening + 1 WHERE uuid = ? AND place = 'running'", uuid);
    this.#append(uuid, this.#format(fact), this.#findEnd(uuid));
  }

  #keepCutLines(uuid: string, from: number): void {
    this.#database.run(
      `INSERT INTO cut_lines
       SELECT uuid, (SELECT coalesce(max(cut), 0) + 1 FROM cut_lines WHERE uuid = ?), line, body
       FROM lines WHERE uuid = ? AND line >= ?`,
      ...[uuid, uuid, from],
    );
    this.#database.run('DELETE FROM state WHERE uuid = ?', uuid);
  }

  #writeState(uuid: string, { name, value }: { readonly name: string; readonly value: unknown }): void {
    this.#database.run('INSERT OR REPLACE INTO state VALUES (?, ?, ?)', uuid, name, JSON.stringify(value));
  }

  #findEnd(uuid: string): RecordPosition {
    const text = 'SELECT line, "check" FROM lines WHERE uuid = ? ORDER BY line DESC LIMIT 1';
    return this.#database.get<RecordPosition>(text, uuid) ?? { line: 0, check: '' };
  }

  #format(fact: NewFact): string {
    return formatFact({ timestamp: this.#timestamp(), ...fact });
  }

  #timestamp(): string {
    return new Date(this.#now()).toISOString();
  }
}

function wasTaken(uuid: string): ContextStoreError {
  const message = `Run ${uuid} was opened again by another store. This one writes nothing more to it.`;
  return new ContextStoreError(message, { code: 'owned' });
}
