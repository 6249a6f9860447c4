import type { CallOptions, ObservedAuthority } from '@agent/platforms';
import { checkValue, expectPort } from '@agent/text/options';
import { AuthorFilter } from './author-filter.ts';
import type { CommentChange } from './changes.ts';
import type { CommentSource, SourceComment } from './comment.ts';
import {
  type CommentDetectionOptions,
  type DetectionSettings,
  readDetectionOptions,
  sleepFor,
} from './comment-detection-options.ts';
import { type LedgerEntry, listOpenEntries } from './comment-ledger.ts';
import { type Authorities, askAuthorities } from './compose-delivery.ts';
import { createDetectionLog, type DetectionLog } from './detection-log.ts';
import { countUp } from './detection-memory.ts';
import { isObserved, listObservations, withObservations } from './observation.ts';
import { ThreadWatcher } from './thread-watcher.ts';

export interface ChangeObserverOptions
  extends Pick<CommentDetectionOptions, 'authorityOf' | 'needsFreshAuthority' | 'onObserved'> {
  readonly watcher: ThreadWatcher;
  readonly settings: DetectionSettings;
  readonly log: DetectionLog;
  readonly monotonicNow: () => number;
}

/** Turns what looks found into observations: asks who may steer, and has them kept before they have any effect. */
export class ChangeObserver {
  readonly #options: ChangeObserverOptions;
  /** Since when nobody can say whether the authors of these comments may steer. */
  #unknownSince: ReadonlyMap<string, number> = new Map();
  #observing: Promise<unknown> = Promise.resolve();

  constructor(options: ChangeObserverOptions) {
    this.#options = options;
  }

  /** Keeps what is new of all that is open. One at a time, so that nothing is kept twice. Why it was not kept, or null. */
  observe(signal: AbortSignal | undefined): Promise<{ readonly error: unknown } | null> {
    const result = this.#observing.then(async () => {
      try {
        await this.#keep(signal);
        return null;
      } catch (error) {
        this.#options.watcher.update((memory) => countUp(memory, { errors: 1 }));
        this.#options.log.notKept(error);
        return { error };
      }
    });
    this.#observing = result;
    return result;
  }

  /** Tells whether a change is kept and may be told now: until it is known whether its author may steer it waits, but not for ever. */
  isRipe(entry: LedgerEntry, { barrier }: { readonly barrier: boolean }): boolean {
    if (!isObserved(entry)) return false;
    if (entry.authority !== 'unknown' || barrier) return true;
    const { monotonicNow, settings } = this.#options;
    const since = this.#unknownSince.get(entry.comment.id);
    return since !== undefined && monotonicNow() - since >= settings.unknownAuthorityMs;
  }

  /** Authorities as the changes have them, and of the others as they are now. */
  async readAuthorities(
    changes: readonly Pick<CommentChange, 'comment' | 'authority'>[],
    signal: CallOptions['signal'],
  ): Promise<Authorities> {
    const known = changes.flatMap(({ comment: { id }, authority = null }) =>
      authority === null ? [] : [[id, authority] as const],
    );
    const others = changes.filter(({ authority = null }) => authority === null);
    return new Map([...(await this.#ask(others, signal)), ...known]);
  }

  #ask(
    changes: readonly { readonly comment: SourceComment }[],
    signal: CallOptions['signal'],
  ): Promise<Authorities> {
    const { authorityOf, needsFreshAuthority, log } = this.#options;
    return askAuthorities(changes, {
      ...{ authorityOf, needsFreshAuthority, signal },
      onUnknown: log.authorityUnknown,
    });
  }

  async #keep(signal: AbortSignal | undefined): Promise<void> {
    const { watcher, onObserved } = this.#options;
    const { ledger } = watcher.memory;
    const entries = listOpenEntries(ledger);
    if (entries.length === 0) return;
    const authorities = standingOr(await this.#ask(entries, signal), entries);
    this.#noteUnknown(authorities);
    const observations = listObservations(ledger, authorities);
    if (observations.length === 0) return;
    await onObserved?.({ observations, opening: null });
    watcher.update((memory) => ({ ...memory, ledger: withObservations(memory.ledger, observations) }));
  }

  #noteUnknown(authorities: Authorities): void {
    const now = this.#options.monotonicNow();
    const unknown = [...authorities].filter(([, authority]) => authority === 'unknown');
    this.#unknownSince = new Map(unknown.map(([id]) => [id, this.#unknownSince.get(id) ?? now]));
  }
}

/** Keeps trust that was found for these words: it does not end because no one can be asked now. */
function standingOr(asked: Authorities, entries: readonly LedgerEntry[]): Authorities {
  const standing = new Map(
    entries.flatMap((entry): [string, ObservedAuthority][] =>
      entry.authority !== null && isObserved(entry) ? [[entry.comment.id, entry.authority]] : [],
    ),
  );
  return new Map(
    [...asked].map(([id, found]) => [id, found === 'unknown' ? (standing.get(id) ?? found) : found]),
  );
}

/** Parts of a manager. */
interface DetectionParts {
  readonly settings: DetectionSettings;
  readonly log: DetectionLog;
  /** Knows the agent's own comments. */
  readonly authors: AuthorFilter;
  /** Holds all that is remembered of the thread. */
  readonly watcher: ThreadWatcher;
  /** Has what it finds kept. */
  readonly observer: ChangeObserver;
}

/**
 * Creates them, and logs which safeguards neither the options nor the source provide.
 *
 * @throws TypeError for an object that is no source, and for an option that is unknown or wrong
 */
export function createDetectionParts(
  source: CommentSource,
  options: CommentDetectionOptions,
): DetectionParts {
  checkValue('The source of CommentDetectionManager', source, expectPort('listComments'));
  const settings = readDetectionOptions(options);
  const log = createDetectionLog(options.logger ?? undefined, { settings, cleanText: options.cleanText });
  const { monotonicNow = () => performance.now(), now = () => new Date(), isOwnComment } = options;
  const isNameless = settings.botUsername === null && settings.botId === null && isOwnComment === undefined;
  const { authorityOf = source.authorityOf?.bind(source) } = options;
  const findOwnAccount = isNameless ? source.findOwnAccount?.bind(source) : undefined;
  const authors = new AuthorFilter({
    settings,
    isOwnComment,
    monotonicNow,
    findOwnAccount,
    onUnknownAccount: () => log.missingSafeguard('botUsername'),
    onNoisyBot: log.noisyBot,
  });
  const watcher: ThreadWatcher = new ThreadWatcher(source, {
    settings,
    log,
    prepare: (call) => authors.findAccount(call),
    isExcluded: (comment) => authors.isOwn(comment, watcher.memory.ownIds) || authors.isIgnored(comment),
    startedAt: settings.startedAt,
    now,
    monotonicNow,
    sleep: options.sleep ?? sleepFor,
    timeoutSignal: options.timeoutSignal ?? ((milliseconds) => AbortSignal.timeout(milliseconds)),
  });
  if (settings.enabled) {
    if (isNameless && findOwnAccount === undefined) log.missingSafeguard('botUsername');
    if (authorityOf === undefined) log.missingSafeguard('authorityOf');
  }
  const observer = new ChangeObserver({ ...options, authorityOf, watcher, settings, log, monotonicNow });
  return { settings, log, authors, watcher, observer };
}
