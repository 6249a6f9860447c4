import { setTimeout as wait } from 'node:timers/promises';
import { isPassingNetworkCode, type Logger } from '@agent/text';
import { ContextStoreError, type Sleep, toSystemCode } from '../context-store-error.ts';

/** States of the server that pass, by the code of its error. */
const passingCodes = new Set([
  // Shut down, crashed, starting up; a replica that is no primary yet; too many connections; out of memory; a disk that is full.
  ...['57P01', '57P02', '57P03', '25006', '53300', '53200', '53100'],
  // Deadlocks, what contradicts another transaction, and what took the server or an idle transaction too long.
  ...['40001', '40P01', '55P03', '57014', '25P03', '57P05'],
]);

/** Failures of the client, which have no code; and a plan that is older than a change of the tables: the next connection has a new one. */
const passingWords =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|cached plan must not change)/;

/** Tells whether a statement that failed so may be carried out later: the server is away, or is not ready, or has no room until somebody makes some. */
export function isOutage(error: unknown): boolean {
  const code = toSystemCode(error) ?? '';
  const words = error instanceof Error ? error.message : '';
  return (
    isPassingNetworkCode(code) || passingCodes.has(code) || code.startsWith('08') || passingWords.test(words)
  );
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
