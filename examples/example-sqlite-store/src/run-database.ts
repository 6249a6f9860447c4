import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { ContextStoreError, type ContextStoreErrorCode } from '@agent/run-store';

/** Changes with the tables. */
const version = 1;

const tables = `
  CREATE TABLE owner (number INTEGER NOT NULL) STRICT;
  INSERT INTO owner VALUES (0);
  CREATE TABLE runs (
    uuid TEXT PRIMARY KEY, place TEXT NOT NULL, opening INTEGER NOT NULL, task_key_hash TEXT NOT NULL, host TEXT NOT NULL,
    created_at TEXT NOT NULL, moved_at TEXT NOT NULL, indexed TEXT
  ) STRICT;
  CREATE INDEX runs_of_task ON runs (task_key_hash, host);
  CREATE TABLE lines (
    uuid TEXT NOT NULL REFERENCES runs ON DELETE CASCADE, line INTEGER NOT NULL, fact TEXT, "check" TEXT NOT NULL,
    body TEXT NOT NULL, PRIMARY KEY (uuid, line)
  ) STRICT;
  CREATE INDEX lines_of_fact ON lines (uuid, fact, line) WHERE fact IS NOT NULL;
  CREATE TABLE cut_lines (
    uuid TEXT NOT NULL REFERENCES runs ON DELETE CASCADE, cut INTEGER NOT NULL, line INTEGER NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (uuid, cut, line)
  ) STRICT;
  CREATE TABLE state (
    uuid TEXT NOT NULL REFERENCES runs ON DELETE CASCADE, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (uuid, name)
  ) STRICT;
  PRAGMA user_version = ${version};
`;

/** A transaction is on the disk when it is committed, and readers do not wait for it. */
const pragmas = 'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;';

/** What to do about an error, by the result code of SQLite. */
const advice: ReadonlyMap<number, readonly [code: ContextStoreErrorCode, text: string]> = new Map([
  [5, ['storage-failed', 'Another program has locked it. Close that program, or its transaction.']],
  [8, ['storage-failed', 'It cannot be written. Check its permissions.']],
  [11, ['damaged', 'It is damaged. Restore it from a copy.']],
  [13, ['storage-full', 'No space is left on the disk. Free some space and start again.']],
  [14, ['storage-failed', 'Check that its directory exists and is writable.']],
  [26, ['damaged', 'It is not a SQLite database. Restore it from a copy, or name another file.']],
]);

/** Opens a file with SQLite, which waits for other programs up to 5 seconds. */
export type ConnectDatabase = (path: string) => DatabaseSync;

const connectDatabase: ConnectDatabase = (path) => new DatabaseSync(path, { timeout: 5_000 });

/** Database file with the tables of runs. All errors are `ContextStoreError`s that name the file. */
export class RunDatabase {
  readonly path: string;
  readonly #sqlite: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  /** @throws {ContextStoreError} if the file cannot be opened, is locked, or is no database of this version */
  constructor(path: string, connect = connectDatabase) {
    this.path = path;
    this.#sqlite = this.#translate(() => connect(path));
    try {
      this.#translate(() => this.#sqlite.exec(pragmas));
      this.transact(() => this.#prepareTables());
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Runs work in one transaction: all of it is durable, or nothing. */
  transact<Result>(work: () => Result): Result {
    return this.#translate(() => {
      this.#sqlite.exec('BEGIN IMMEDIATE');
      try {
        const result = work();
        this.#sqlite.exec('COMMIT');
        return result;
      } catch (error) {
        if (this.#sqlite.isTransaction) this.#sqlite.exec('ROLLBACK');
        throw error;
      }
    });
  }

  /**
   * Runs work of an owner in one transaction.
   * @throws {ContextStoreError} `owned` if it is not the last owner that was admitted
   */
  writeAs<Result>(owner: number | null, work: () => Result): Result {
    return this.transact(() => {
      const last = this.get<{ readonly number: number }>('SELECT number FROM owner')?.number;
      if (last === owner) return work();
      const message = `Owner ${last} has taken over "${this.path}". This process writes nothing more there.`;
      throw new ContextStoreError(message, { code: 'owned' });
    });
  }

  all<Row>(sql: string, ...values: readonly SQLInputValue[]): readonly Row[] {
    return this.#translate(() => this.#prepare(sql).all(...values) as Row[]);
  }

  /** First row; undefined if there is none. */
  get<Row>(sql: string, ...values: readonly SQLInputValue[]): Row | undefined {
    return this.#translate(() => this.#prepare(sql).get(...values) as Row | undefined);
  }

  /** Number of changed rows. */
  run(sql: string, ...values: readonly SQLInputValue[]): number {
    return this.#translate(() => Number(this.#prepare(sql).run(...values).changes));
  }

  close(): void {
    if (this.#sqlite.isOpen) this.#sqlite.close();
  }

  #prepareTables(): void {
    const found = this.get<{ user_version: number }>('PRAGMA user_version')?.user_version;
    if (found === 0) this.#sqlite.exec(tables);
    if (found === 0 || found === version) return;
    const message = `"${this.path}" has tables of version ${found}, and this program reads version ${version}. Use the program that wrote it.`;
    throw new ContextStoreError(message, { code: 'other-version' });
  }

  #prepare(sql: string): StatementSync {
    const statement = this.#statements.get(sql) ?? this.#sqlite.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #translate<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (cause) {
      if (ContextStoreError.isInstance(cause)) throw cause;
      const { errcode = 0, message } = cause as Error & { readonly errcode?: number };
      // The lowest byte is the kind of the error, the others its details.
      const [code, text] = advice.get(errcode & 0xff) ?? ['storage-failed', 'See the cause.'];
      throw new ContextStoreError(`Could not use "${this.path}": ${message}. ${text}`, { code, cause });
    }
  }
}
