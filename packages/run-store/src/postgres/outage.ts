import { setTimeout as wait } from 'node:timers/promises';
import { isPassingNetworkCode, type Logger } from '@agent/text';
import { ContextStoreError, type Sleep, toSystemCode } from '../context-store-error.ts';

/**
 * SQLSTATE classes of a server that is away, starting, failing over or out of resources: connection exception,
 * insufficient resources, operator intervention, system error.
 *
 * @see https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const waitingClasses = new Set(['08', '53', '57', '58']);

/** Single codes of other classes whose statement can succeed later. */
const waitingCodes = new Set([
  // Serialization failure, completion unknown, deadlock; and a server that is read-only, such as a replica during a failover.
  ...['40001', '40003', '40P01', '25006'],
  // Internal error: what poolers and managed servers answer at a failover. Data corruption is XX001 and XX002.
  'XX000',
  // A lock that is taken, and a transaction that was idle for too long.
  ...['55P03', '25P03'],
]);

/** The server has no code of its own for a plan that is older than a change of the tables. The next connection has a new plan. */
const unsupported = '0A000';

/** Failures of the client, which have no code, and outdated plans. */
const waitingWords =
  /^(Connection terminated|Client has encountered a connection error|Query read timeout|timeout expired|timeout exceeded when trying to connect|There was an error establishing an SSL connection|cached plan must not change)/;

const sqlState = /^[0-9A-Z]{5}$/;

/** Checks whether the statement can succeed later without a change: the server is away, not ready, or has no room. */
export function isOutage(error: unknown): boolean {
  const code = toSystemCode(error) ?? '';
  // Names of system errors such as EPIPE have the form of an SQLSTATE.
  if (isPassingNetworkCode(code)) return true;
  if (sqlState.test(code) && code !== unsupported)
    return waitingClasses.has(code.slice(0, 2)) || waitingCodes.has(code);
  return waitingWords.test(error instanceof Error ? error.message : '');
}

/** Tells whether the server did not accept name or password. */
export function isRefusedLogin(error: unknown): boolean {
  return ['28P01', '28000'].includes(toSystemCode(error) ?? '');
}

const advice: Readonly<Record<string, string>> = {
  '28P01': 'The server does not accept the password: check it, and where it comes from.',
  '28000': 'The server does not let this user in: check the user, and pg_hba.conf.',
  '3D000': 'There is no such database: create it, or fix the address.',
  '42501':
    'A permission is missing: let the user create schemas in the database, or make it the owner of the schemas of the runs and their queue.',
  '42P01': 'A table is missing: was the schema changed by hand? Restore it from a backup.',
  '25006':
    'The server is read-only: it is a replica, or was made read-only. Make it a writable primary, or configure another server.',
  '53100': 'The disk of the server is full: free some space there.',
  '53300': 'The server has too many connections: raise max_connections, or close some.',
};

/** Translates what the server or its client threw; what nobody of them threw stays as it is. */
export function toDatabaseError(error: unknown, location: string): unknown {
  const code = toSystemCode(error);
  if (ContextStoreError.isInstance(error) || (code === null && !isOutage(error))) return error;
  const known = advice[code ?? ''] ?? 'Check the server, and the way to it.';
  const message = `The database "${location}" did not execute a statement. ${known} It reported: ${(error as Error).message || code}`;
  const kind = code === '53100' ? 'storage-full' : 'storage-failed';
  return new ContextStoreError(message, { code: kind, cause: error });
}

/** Ways to wait for a server that is away. */
export interface PatienceOptions {
  /** Milliseconds for which a statement is tried again. Default as long as it takes: what a run could not write or read would be lost to it. */
  readonly patienceMs?: number | undefined;
  /** Milliseconds on a clock that never goes back. Default `performance.now`. */
  readonly clock?: (() => number) | undefined;
  /** Default a timer. */
  readonly sleep?: Sleep | undefined;
  /** Silent by default. */
  readonly logger?: Logger | null | undefined;
}

const [firstPauseMs, longestPauseMs] = [50, 5_000];

/** Statements that wait just now for a server, each with the error that it met last. */
export type Waiting = Map<object, ContextStoreError>;

interface Attempts extends PatienceOptions {
  readonly location: string;
  readonly waiting: Waiting;
  /** Tells whether it is worth another attempt. Default `isOutage`. */
  readonly passes?: ((error: unknown) => boolean) | undefined;
}

/** Tries something until the server is there, with pauses that grow. The caller just waits. */
export async function withPatience<Result>(work: () => Promise<Result>, options: Attempts): Promise<Result> {
  const { patienceMs = Number.POSITIVE_INFINITY, clock = () => performance.now(), sleep = wait } = options;
  const { location, waiting, logger, passes = isOutage } = options;
  const begun = clock();
  try {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      try {
        return await work();
      } catch (error) {
        const err = toDatabaseError(error, location);
        if (!ContextStoreError.isInstance(err) || !passes(error) || clock() - begun >= patienceMs) throw err;
        waiting.set(work, err);
        if (pauseMs === firstPauseMs) logger?.warn({ err, location }, 'waiting for database');
        await sleep(pauseMs);
      }
    }
  } finally {
    waiting.delete(work);
  }
}
