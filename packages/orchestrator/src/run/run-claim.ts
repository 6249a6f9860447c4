import {
  type Account,
  type CommentListing,
  type KnownComment,
  type OwnComment,
  type Platform,
  PlatformError,
  type PlatformThread,
} from '@agent/platforms';
import { sortOwnComments } from '@agent/platforms/comments';
import type { Json, OpenRun, Outbox, RecordPosition } from '@agent/run-store';
import type { Locale } from '@agent/text';
import type { ModelMessage } from 'ai';
import type { RunLogger } from '../host/ports.ts';
import { isTransient } from '../intents/call-with-retry.ts';
import type { DoIntent } from '../intents/do-intent.ts';
import { toOpenIntent } from '../intents/intents.ts';
import {
  type Claim,
  type ClaimReading,
  expiryMinutes,
  findHolder,
  findLowest,
  isExpired,
  listForeign,
  toClaims,
  toStatuses,
} from './read-claims.ts';
import type { RunFacts } from './run-facts.ts';
import type { RecordCheck } from './run-record.ts';
import {
  formatStatusComment,
  formatStatusNote,
  type StatusNote,
  type StatusState,
  toStatusTopic,
} from './status-comment.ts';

/** The thread is not this run's: it stops before it pushes, and says nothing. */
export class ClaimLostError extends Error {
  /** The run that holds the thread: another one of the agent's account that claimed it first; or this one, which the thread shows as ended. */
  readonly holder: string;

  constructor(holder: string, why = 'of the same account and another directory claimed the thread first') {
    super(`Withdrawn: run ${holder} ${why}.`);
    this.name = 'ClaimLostError';
    this.holder = holder;
  }
}

export interface HoldOptions {
  /** True for a run that begins, whose thread was just listed: no claim of its own is looked for. Default false. */
  readonly begins?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** States of a run that is left for the moment. */
export type LeftState = 'queued' | 'interrupted';

/**
 * A run's hold on its thread. Each function does nothing where runs have no status comment. Only `hold` and `rest` make the comment where there is none: what
 * renews edits the one that it knows.
 */
export interface RunClaim {
  /** True where the run has a status comment. */
  readonly isKept: boolean;
  /**
   * Claims the thread, or confirms that it is held, as the platform shows it now. The claim with the lowest comment id holds.
   * While the platform refuses to renew it, the claim that it shows holds.
   * @throws ClaimLostError; OpenIntentError where the thread can be neither claimed nor read; PlatformError for what is transient
   */
  readonly hold: (options?: HoldOptions) => Promise<void>;
  /**
   * Renews the status comment that `hold` wrote or found, with what it shows of the run, and the place of the record with it. Whoever leaves the
   * run notes no other place than the one that stands there: it may leave because its record was set back.
   */
  readonly renew: (state: 'working' | LeftState, options?: Pick<HoldOptions, 'signal'>) => Promise<void>;
  /** Shows that the run waits, with the place of its record. Default: where it is now. */
  readonly rest: (state: 'paused' | 'watching', position?: RecordPosition) => Promise<void>;
  /** Ends the claim: the status comment links the final one. Reconciles whatever comments of ours stand there twice. */
  readonly end: () => Promise<void>;
  /** Says that nobody carries the run, where its comment says that it works. Not by whoever has it: the noted place stays. */
  readonly correct: (options?: HoldOptions) => Promise<void>;
  /** Id of the status comment as this process knows it; null if there is none. */
  readonly commentId: () => string | null;
  /** Takes the claim back: its comment goes. */
  readonly withdraw: () => Promise<void>;
}

export interface ClaimOptions extends ClaimReading {
  /** False for runs without a status comment: then two daemons of one account are not kept apart. */
  readonly enabled: boolean;
  readonly timeZone: string;
  readonly hearsCommands: boolean;
  readonly doIntent: DoIntent;
  readonly now: () => number;
  readonly logger: RunLogger;
}

/** The run that claims. */
export interface ClaimingRun {
  readonly uuid: string;
  readonly locale: Locale;
  readonly kind: RunFacts['kind'];
  readonly startedAt: string;
  readonly thread: Pick<PlatformThread, 'writer' | 'ownComments'>;
  readonly position: OpenRun<ModelMessage>['position'];
  readonly outbox: Outbox;
  /** Formats what the comment shows of the run in this state; empty for nothing. It is for everybody. */
  readonly readSections: (shown: { readonly state: StatusState }) => Promise<string>;
  /** The platform's clock, by which claims expire. Default: the local one. */
  readonly serverNow?: Platform['serverNow'];
  /** Hears which place of the record the thread shows, before that is renewed. */
  readonly onNoted: RecordCheck['compare'];
  readonly logger: RunLogger;
}

/** Claims of all runs of one process. */
export interface Claims {
  readonly of: (run: ClaimingRun) => RunClaim;
  /** The run of another directory that holds a thread, as its comments were just listed; null where none does. */
  readonly findHolder: (
    listing: Pick<CommentListing, 'comments'>,
    at: Pick<ClaimingRun, 'serverNow'> & { readonly ownAccount: Account },
  ) => Promise<string | null>;
}

/** A run renews its claim at its next step when it is this old. */
export const renewalMs = 20 * 60_000;

/**
 * Creates what keeps two daemons of one account, in two directories, from working on one thread. A run's first act on the forge
 * is its status comment, the claim; it is read back, and again before each push. @see decision 0039
 */
export function createClaims(options: ClaimOptions): Claims {
  return {
    of: (run) => {
      const { ownComments } = run.thread;
      return options.enabled && ownComments != null
        ? createRunClaim(options, { ...run, ownComments })
        : noClaim;
    },
    findHolder: async (listing, { ownAccount, serverNow = options.now }) => {
      if (!options.enabled) return null;
      const { kept } = sortOwnComments(listing.comments, ownAccount);
      const claims = await listForeign(options, kept, null);
      return findLowest(claims.filter((claim) => !isExpired(options, claim, serverNow())))?.uuid ?? null;
    },
  };
}

const nothing = async (): Promise<void> => undefined;
const noClaim: RunClaim = {
  isKept: false,
  hold: nothing,
  renew: nothing,
  rest: nothing,
  end: nothing,
  correct: nothing,
  commentId: () => null,
  withdraw: nothing,
};

type Claiming = ClaimingRun & { readonly ownComments: NonNullable<PlatformThread['ownComments']> };

function createRunClaim(options: ClaimOptions, run: Claiming): RunClaim {
  const { uuid, ownComments, onNoted, serverNow = options.now } = run;
  const list = (signal?: AbortSignal) => ownComments.list({ signal });
  const findMine = (own: readonly OwnComment[]) => toClaims(own).find((claim) => claim.uuid === uuid);
  // Places of the record that this process noted itself, by their checks: the record cannot have lost them before it was opened.
  const noted = new Set<string>();
  let hasWritten = false;
  let wasRefused = false;
  let known: KnownStatus | null = null;
  const write = async (words: StatusWords, position = run.position()): Promise<void> => {
    noted.add(position.check);
    const status = await composeStatus(options, run, { ...words, position });
    const { id } = await run.thread.writer.ensureComment({ ...status, signal: words.signal });
    known = { id, position };
    hasWritten = true;
  };
  const edit = async ({ id, ...words }: StatusWords & KnownStatus): Promise<void> => {
    if (words.position !== null) noted.add(words.position.check);
    const status = await composeStatus(options, run, words);
    const change = await ownComments.edit({ ...status, id, signal: words.signal });
    // It may be claimed anew meanwhile.
    if (known === null || known.id === id)
      known = change === 'gone' ? null : { id, position: words.position };
  };
  const inOutbox = async (perform: () => Promise<Json>): Promise<Json> => {
    const intent = toOpenIntent('hold', await run.outbox.list());
    return options.doIntent(run, { intent, perform });
  };
  // What the platform refuses to show is an open entry of the outbox, too: it is asked for again.
  const keepRefusal = async <Shown>(ask: () => Promise<Shown>): Promise<Shown> => {
    try {
      return await ask();
    } catch (error) {
      if (!PlatformError.isInstance(error) || isTransient(error)) throw error;
      wasRefused = true;
      await inOutbox(() => Promise.reject(error));
      throw error;
    }
  };
  // While the platform accepts no writes, the claim that stands there holds until it expires.
  const claim = async (mine: Claim | undefined, signal: AbortSignal | undefined): Promise<Json> => {
    try {
      await write({ state: mine === undefined ? 'claimed' : 'working', signal });
    } catch (error) {
      const isHeld = mine !== undefined && !isExpired(options, mine, serverNow());
      if (!isHeld || !PlatformError.isInstance(error)) throw error;
      run.logger.warn({ err: error }, 'failed to renew claim; the claim on the thread still holds');
    }
    return {};
  };
  return {
    isKept: true,
    hold: async ({ begins = false, signal } = {}) => {
      let own = begins ? [] : await keepRefusal(() => list(signal));
      let mine = findMine(own);
      const shown = toStatuses(own).find((status) => status.uuid === uuid)?.note;
      const place = shown?.position ?? null;
      const isNews = place !== null && !noted.has(place.check);
      if (isNews) await onNoted(place);
      // What people were given as its end stands: nothing of it is done, or told, a second time.
      if (isNews && shown?.state === 'ended')
        throw new ClaimLostError(uuid, 'has already ended, according to its status comment');
      if (mine !== undefined) known = { id: mine.id, position: mine.note.position };
      // What an earlier process wrote says nothing of this one.
      if (mine === undefined || !hasWritten || wasRefused || needsRenewal(mine, serverNow())) {
        await inOutbox(() => claim(mine, signal));
        own = await keepRefusal(() => list(signal));
        mine = findMine(own);
        wasRefused = false;
      }
      const holder = await findHolder({ ...options, now: serverNow }, { ...run, own, mine, signal });
      if (holder !== null && holder !== uuid) throw new ClaimLostError(holder);
    },
    renew: async (state, { signal } = {}) => {
      if (known === null) return;
      const { id, position } = known;
      await edit({ id, state, position: state === 'working' ? run.position() : position, signal });
    },
    rest: (state, position) => write({ state }, position),
    end: async () => {
      const own = await list();
      const mine = findMine(own);
      if (mine === undefined) return;
      const final = own.find(({ topic }) => topic === `run:${uuid}:final`);
      await edit({ id: mine.id, state: 'ended', finalUrl: final?.url ?? null, position: run.position() });
    },
    correct: async ({ signal } = {}) => {
      const mine = findMine(await list(signal));
      if (mine === undefined || mine.note.state === 'paused') return;
      const { id, note } = mine;
      await edit({ id, state: 'queued', position: note.position, signal });
    },
    commentId: () => known?.id ?? null,
    withdraw: async () => {
      const mine = findMine(await list());
      if (mine !== undefined) await ownComments.remove(mine.id);
    },
  };
}

/** One that was paused works again; one that is old is renewed, also where the clock is far behind that of an adapter's platform. */
function needsRenewal({ note, editedAt }: Claim, at: number): boolean {
  return note.state === 'paused' || Math.abs(at - editedAt) >= renewalMs;
}

interface StatusWords {
  readonly state: StatusState;
  readonly finalUrl?: string | null;
  readonly signal?: AbortSignal | undefined;
}

/** The status comment of the run, as this process saw it last, and the place that it notes. */
interface KnownStatus extends Pick<StatusNote, 'position'> {
  readonly id: string;
}

async function composeStatus(
  { timeZone, hearsCommands, now }: ClaimOptions,
  { uuid, locale, kind, startedAt, readSections }: Claiming,
  { state, finalUrl = null, position }: StatusWords & Pick<StatusNote, 'position'>,
): Promise<Pick<KnownComment, 'topic' | 'body' | 'note'>> {
  const words = { locale, timeZone, hearsCommands, expiryMinutes };
  const sections = await readSections({ state });
  return {
    topic: toStatusTopic(uuid),
    body: formatStatusComment({ state, kind, since: startedAt, finalUrl, sections }, words),
    note: formatStatusNote({ state, at: new Date(now()).toISOString(), position }),
  };
}
