import { toErrorMessage } from '@agent/text';

const transientCodes: ReadonlySet<unknown> = new Set(['unavailable', 'rate-limited']);

/**
 * Tells whether an error of a platform or of git says nothing of the task, so that the same call is worth another try later:
 * it goes away by itself, or is a state of our credential, which an operator fixes for all tasks at once.
 */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, scope } = error as { code?: unknown; scope?: unknown };
  return transientCodes.has(code) || scope === 'credential';
}

const refusedCodes: ReadonlySet<unknown> = new Set(['unauthorized', 'forbidden', 'not-found']);

/**
 * Tells whether a platform or git refused something (401, 403, 404), which says little by itself: a lock, a rule or an incident may be
 * over in seconds, a missing permission stays.
 */
export function isRefused(error: unknown): boolean {
  if (error instanceof OpenIntentError) return true;
  return error instanceof Error && refusedCodes.has((error as { readonly code?: unknown }).code);
}

/** Tells whether access was refused (401, 403), which an administrator can allow without changing the task. */
export function isForbidden(error: unknown): boolean {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return error instanceof Error && (code === 'unauthorized' || code === 'forbidden');
}

/** Checks whether a disk or quota had no room. */
export function isDiskFull(error: unknown): boolean {
  return (error as { readonly code?: unknown } | null)?.code === 'storage-full';
}

/** Reads how long a transient error asks to wait, in milliseconds; 0 where it does not say. */
export function retryAfterMsOf(error: unknown): number {
  const wanted = (error as { retryAfterMs?: unknown } | null)?.retryAfterMs;
  return typeof wanted === 'number' ? wanted : 0;
}

/**
 * Says that a run cannot go on now, though nothing is wrong with it: the platform did not answer or asked to wait, or
 * the disk did not take its end.
 * The run stays in `running/` and its thread stays taken; `again` continues it, in this process or by the next start.
 */
export class DeferredError extends Error {
  /** Null for a run that is opened again from its record. */
  readonly again: (() => Promise<void>) | null;
  /** Milliseconds before another try is worth it. */
  readonly waitMs: number;

  constructor(
    again: (() => Promise<void>) | null,
    { waitMs = 0, ...options }: ErrorOptions & { readonly waitMs?: number } = {},
  ) {
    super('The run cannot continue now. It is kept and continues later.', options);
    this.name = 'DeferredError';
    this.again = again;
    this.waitMs = waitMs;
  }
}

/**
 * Says that something which a run cannot go on without was refused: its entry stays open, and the run goes on with it later, after
 * pauses that grow to an hour.
 */
export class OpenIntentError extends Error {
  /** Kind of the entry. */
  readonly kind: string;

  constructor(kind: string, options: { readonly cause: unknown }) {
    super(toErrorMessage(options.cause), options);
    this.name = 'OpenIntentError';
    this.kind = kind;
  }
}

/** Waiting, as long as the process lives. */
export interface Waiting {
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Aborted when the process is asked to end. */
  readonly shutdown: AbortSignal;
}

/** Longest wait, in milliseconds, that is spent on the spot. */
export const longestWaitMs = 60_000;

/**
 * Waits before another try, as long as the error asks for and at least `waitMs`. False at once where another try is not worth
 * it: for an error that does not go away, after the last try (`waitMs` null), for a wait of more than a minute, and at a shutdown.
 */
export async function waitToRetry(
  error: unknown,
  { waitMs, sleep, shutdown }: Waiting & { readonly waitMs: number | null },
): Promise<boolean> {
  const wantedMs = Math.max(waitMs ?? 0, retryAfterMsOf(error));
  const mayPass = isTransient(error) || isRefused(error);
  if (waitMs === null || wantedMs > longestWaitMs || shutdown.aborted || !mayPass) return false;
  await sleep(wantedMs, shutdown);
  return true;
}
