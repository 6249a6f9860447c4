import { type OwnComment, type OwnComments, PlatformError } from '@agent/platforms';
import type { RunLogger } from '../host/ports.ts';
import { parseStatusNote, parseStatusTopic, type StatusNote } from './status-comment.ts';

/** After so many minutes without a renewal a claim holds no longer: its run has died. */
export const expiryMinutes = 60;

/** A status comment of a run; one of a run that has not ended is its claim. */
export interface Claim {
  readonly uuid: string;
  readonly id: string;
  readonly note: StatusNote;
  /** The last edit (milliseconds since 1970), by the platform's clock. */
  readonly editedAt: number;
}

/** Facts by which claims are read. */
export interface ClaimReading {
  /** Tells whether a run lies in the directory of this process, whose queue keeps its threads apart. */
  readonly isKnown: (uuid: string) => Promise<boolean>;
  /** Days that a paused run is kept for. */
  readonly pausedDays: number;
}

/** Claims among our own comments. */
export function toClaims(own: readonly OwnComment[]): readonly Claim[] {
  return toStatuses(own).filter(({ note }) => note.state !== 'ended');
}

/** Status comments among them, those of runs that have ended included. */
export function toStatuses(own: readonly OwnComment[]): readonly Claim[] {
  return own.flatMap(({ id, topic, note, createdAt, updatedAt }) => {
    const uuid = parseStatusTopic(topic);
    const said = parseStatusNote(note);
    if (uuid === null || said === null) return [];
    return [{ uuid, id, note: said, editedAt: Date.parse(updatedAt ?? createdAt) }];
  });
}

/** Claims of runs that lie in other directories. */
export async function listForeign(
  { isKnown }: Pick<ClaimReading, 'isKnown'>,
  own: readonly OwnComment[],
  uuid: string | null,
): Promise<readonly Claim[]> {
  const foreign: Claim[] = [];
  for (const claim of toClaims(own)) {
    if (claim.uuid !== uuid && !(await isKnown(claim.uuid))) foreign.push(claim);
  }
  return foreign;
}

/** Tells whether its run has not renewed it for too long, as of this time (milliseconds since 1970). */
export function isExpired(
  { pausedDays }: Pick<ClaimReading, 'pausedDays'>,
  { note, editedAt }: Claim,
  at: number,
): boolean {
  const minutes = note.state === 'paused' ? pausedDays * 24 * 60 : expiryMinutes;
  return at - editedAt > minutes * 60_000;
}

/** The claim that holds: ids of comments are numbers that grow; those of a tracker of somebody's own are compared as texts. */
export function findLowest(claims: readonly Claim[]): Claim | undefined {
  return claims.toSorted(
    (one, other) => Number(one.id) - Number(other.id) || (one.id < other.id ? -1 : 1),
  )[0];
}

/** A look at the claims of a thread, by one of the runs. */
export interface ClaimLook {
  readonly uuid: string;
  readonly ownComments: Pick<OwnComments, 'remove'>;
  readonly logger: Pick<RunLogger, 'warn'>;
  /** Our own comments as they were just listed. */
  readonly own: readonly OwnComment[];
  readonly mine: Claim | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Finds the run that holds the thread. A claim that its run has not renewed for too long, compared with ours by the platform's own
 * times, belongs to a run that died: its comment goes.
 */
export async function findHolder(
  { now, ...reading }: ClaimReading & { readonly now: () => number },
  { uuid, ownComments, logger, own, mine, signal }: ClaimLook,
): Promise<string | null> {
  // A listing that lags does not show what was just written: then every other claim counts as earlier.
  const at = mine?.editedAt ?? now();
  const holding: Claim[] = [];
  for (const claim of await listForeign(reading, own, uuid)) {
    if (!isExpired(reading, claim, at)) {
      holding.push(claim);
      continue;
    }
    logger.warn({ claim: claim.uuid }, 'removing expired claim comment');
    await ownComments.remove(claim.id, { signal }).catch((error: unknown) => {
      if (!PlatformError.isInstance(error)) throw error;
      logger.warn({ err: error, claim: claim.uuid }, 'failed to remove expired claim comment');
    });
  }
  return findLowest(mine === undefined ? holding : [...holding, mine])?.uuid ?? null;
}
