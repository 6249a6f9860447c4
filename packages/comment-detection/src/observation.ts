import type { CommentSubject, ObservedAuthority } from '@agent/platforms';
import { type ChangeKind, type DeliveryReceipt, formatRevision } from './changes.ts';
import type { CommentAuthor } from './comment.ts';
import {
  type CommentLedger,
  changeKindOf,
  type LedgerEntry,
  listOpenEntries,
  withEntries,
} from './comment-ledger.ts';

/** One revision of a comment as it was found on the thread: kept by whoever embeds it before it has any effect. */
export interface Observation {
  readonly id: string;
  /** Names the revision; opaque. */
  readonly revision: string;
  readonly kind: ChangeKind;
  /** Text; that of a deleted comment as it was last seen. */
  readonly body: string;
  readonly author: CommentAuthor | null;
  /** `unknown` where it could not be asked: another observation follows when it is known. */
  readonly authority: ObservedAuthority;
  /** ISO 8601, as received. */
  readonly createdAt: string;
  readonly updatedAt: string | null;
  readonly visibility?: string | undefined;
  readonly part?: 'thread' | undefined;
  /** Its page, where the source says it. */
  readonly url?: string | null | undefined;
  /** Left out in the conversation. */
  readonly subject?: CommentSubject | undefined;
}

/** All that one look found. */
export interface ObservedPoll {
  readonly observations: readonly Observation[];
  /** Stands where these are what the first prompt was made from: history, and no news. */
  readonly opening: { readonly historyUntil: string | null } | null;
}

/** A line of a journal, as far as a thread goes: what was found there, or what the model was told. */
export type HeardEvent = ObservedPoll | (DeliveryReceipt & { readonly opening?: boolean | undefined });

/** Tells the two apart. */
export function isObservedPoll(event: HeardEvent): event is ObservedPoll {
  return 'observations' in event;
}

/** Observations of what the first prompt was made from, so that a later deletion can say what stood there. */
export function listOpeningObservations({ entries }: CommentLedger): readonly Observation[] {
  return [...entries.values()].flatMap((entry) =>
    entry.excluded || entry.known === null || entry.known.hash !== entry.hash || !entry.bodyKnown
      ? []
      : [toObservation(entry, { kind: 'added', authority: 'unknown' })],
  );
}

/** Lists what of the open entries no observation says yet, with the authority that their authors have now. */
export function listObservations(
  ledger: CommentLedger,
  authorities: ReadonlyMap<string, ObservedAuthority>,
): readonly Observation[] {
  return listOpenEntries(ledger).flatMap((entry) => {
    const kind = observedKindOf(entry);
    if (kind === null) return [];
    const authority = authorities.get(entry.comment.id) ?? entry.authority ?? 'unknown';
    const observation = toObservation(entry, { kind, authority });
    return formatMark(observation) === entry.observed ? [] : [observation];
  });
}

/** The ledger in which these are kept. What has changed since stays open to the next look. */
export function withObservations(ledger: CommentLedger, observations: readonly Observation[]): CommentLedger {
  const changed = observations.flatMap((observation) => {
    const entry = ledger.entries.get(observation.id);
    const { authority } = observation;
    return entry === undefined ? [] : [{ ...entry, authority, observed: formatMark(observation) }];
  });
  return withEntries(ledger, changed);
}

/** Tells whether the newest revision of a comment is kept as an observation. */
export function isObserved(entry: LedgerEntry): boolean {
  const kind = observedKindOf(entry);
  const revision = formatRevision({ hash: entry.hash, updatedAt: entry.comment.updatedAt });
  return kind !== null && entry.observed === formatMark({ kind, revision, authority: entry.authority });
}

/** Finds what is kept of an entry: the deletion, too, of one that was taken back before the model was told of it. */
function observedKindOf(entry: LedgerEntry): ChangeKind | null {
  if (entry.excluded || entry.closed) return null;
  if (entry.gone) return 'deleted';
  return changeKindOf(entry) ?? (entry.toldUnknown ? 'added' : null);
}

/** The mark of an observation in the ledger. */
export function formatMark({
  kind,
  revision,
  authority,
}: {
  kind: ChangeKind;
  revision: string;
  authority: ObservedAuthority | null;
}): string {
  return `${kind} ${revision} ${authority}`;
}

function toObservation(
  { comment, hash }: LedgerEntry,
  { kind, authority }: Pick<Observation, 'kind' | 'authority'>,
): Observation {
  const { id, author, body, createdAt, updatedAt, visibility, part, url, subject } = comment;
  return {
    id,
    revision: formatRevision({ hash, updatedAt }),
    kind,
    body,
    author: author && {
      id: author.id,
      login: author.login,
      ...(author.kind === undefined ? {} : { kind: author.kind }),
    },
    authority,
    createdAt,
    updatedAt,
    ...(visibility === undefined ? {} : { visibility }),
    ...(part === undefined ? {} : { part }),
    ...(url === undefined || url === null ? {} : { url }),
    ...(subject === undefined || subject === null ? {} : { subject }),
  };
}
