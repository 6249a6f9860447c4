import { type Expectation, expectPort } from '@agent/text/options';
import type { ContextStoreError } from '../context-store-error.ts';

/** Carries statements out. One whose answer was lost is sent again: each is written so that this changes nothing. */
export interface Queryable {
  /**
   * Resolves with the rows. A text without values may hold several statements; the rows are those of all of them.
   * @throws {ContextStoreError} what waiting cannot mend, and what has lasted for too long
   */
  readonly query: <Row extends object>(text: string, values?: readonly unknown[]) => Promise<readonly Row[]>;
}

/** Options of a transaction. */
export interface TransactionOptions {
  /** Name of a lock that nobody else shares or holds meanwhile. Default none. */
  readonly alone?: string | undefined;
  /** Settings of the server that hold for it, from before the lock is waited for. Default none. */
  readonly settings?: Readonly<Record<string, string>> | undefined;
}

/** Formats settings of a transaction as what a statement selects. */
export function toSettings(settings: Readonly<Record<string, string>>): readonly string[] {
  const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;
  return Object.entries(settings).map(([name, value]) => `set_config(${quote(name)}, ${quote(value)}, true)`);
}

/** A PostgreSQL database, however it is reached. */
export interface Database extends Queryable {
  /** The server and its database, in words for people; without a password. */
  readonly location: string;
  /** True for a server on another machine that is reached without TLS. */
  readonly isUnencrypted: boolean;
  /** Carries all of it out, or nothing. It is begun anew, and `use` called again, when the connection breaks in the middle. */
  readonly transaction: <Result>(
    use: (transaction: Queryable) => Promise<Result>,
    options?: TransactionOptions,
  ) => Promise<Result>;
  /** Does something while nobody holds the lock of this name alone; any number of processes share it. */
  readonly share: <Result>(lock: string, work: () => Promise<Result>) => Promise<Result>;
  /**
   * Hears what is notified on a channel; null once when the connection was lost and is there again, as something may
   * have been missed. Resolves, once it listens, with the function that ends it.
   */
  readonly listen: (
    channel: string,
    listener: (payload: string | null) => void,
  ) => Promise<() => Promise<void>>;
  /** Tells what statements wait for just now, and are tried again until it passes; null where none waits. */
  readonly findObstacle: () => ContextStoreError | null;
  readonly close: () => Promise<void>;
}

/** A database, as `connectPostgres` and `openPglite` return it. */
export const expectDatabase: Expectation = {
  ...expectPort('query', 'transaction', 'share', 'close'),
  text: 'a database that connectPostgres or openPglite returns',
};
