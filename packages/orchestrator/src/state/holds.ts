import type { RunLogger } from '../host/ports.ts';
import type { HoldCause, HoldState } from './hold.ts';

export interface HoldsOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly logger: Pick<RunLogger, 'info' | 'warn'>;
  /** Holds of an earlier process: what still holds keeps its start. Default none. */
  readonly earlier?: readonly HoldState[] | undefined;
  /** Receives the list of holds whenever it changes. */
  readonly onChange: (holds: readonly HoldState[]) => void;
}

/** A hold as it is reported. What is left out is null. */
export interface ReportedHold {
  readonly cause: HoldCause;
  readonly scope?: string | null;
  readonly until?: number | null;
  readonly by?: string | null;
  readonly reason?: string | null;
}

/**
 * Collects the used-up budgets because of which this process starts no tasks, each with its start, whatever the others do. The log has one
 * line at the start of each and one at its end.
 *
 * @example
 * const holds = new Holds({ now: Date.now, logger, onChange });
 * holds.report({ cause: 'content_writes', scope: 'github.com', until: Date.now() + 60_000 });
 * holds.clear('content_writes', 'github.com');
 */
export class Holds {
  readonly #options: HoldsOptions;
  readonly #held = new Map<string, HoldState>();
  #shown = '[]';

  constructor(options: HoldsOptions) {
    this.#options = options;
  }

  /** Begins a hold, or updates all of it but its start. */
  report({ cause, scope = null, until = null, by = null, reason = null }: ReportedHold): void {
    this.expire();
    const before = this.#held.get(toKey(cause, scope));
    const since = before?.since ?? this.#findEarlier(cause, scope) ?? this.#options.now();
    this.#held.set(toKey(cause, scope), { cause, scope, since, until, by, reason });
    this.#show();
    if (before === undefined)
      this.#options.logger.warn(
        { cause, scope, since: toIso(since), until: toIso(until), by, reason },
        'not starting tasks',
      );
  }

  /** Start of the same hold in an earlier process; undefined if it was over. */
  #findEarlier(cause: HoldCause, scope: string | null): number | undefined {
    const now = this.#options.now();
    return this.#options.earlier?.find(
      (one) => one.cause === cause && one.scope === scope && (one.until === null || one.until > now),
    )?.since;
  }

  clear(cause: HoldCause, scope: string | null = null): void {
    const held = this.#held.get(toKey(cause, scope));
    if (held === undefined) return;
    this.#held.delete(toKey(cause, scope));
    this.#show();
    const durationMs = this.#options.now() - held.since;
    this.#options.logger.info({ cause, scope, durationMs }, 'starting tasks again');
  }

  /** Lists what holds now, the oldest first. */
  list(): readonly HoldState[] {
    this.expire();
    return this.#list();
  }

  /** Ends the holds whose end has come. */
  expire(): void {
    const now = this.#options.now();
    for (const { cause, scope, until } of this.#held.values())
      if (until !== null && until <= now) this.clear(cause, scope);
  }

  #list(): readonly HoldState[] {
    return [...this.#held.values()].toSorted((one, other) => one.since - other.since);
  }

  #show(): void {
    const holds = this.#list();
    const shown = JSON.stringify(holds);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#options.onChange(holds);
  }
}

const toKey = (cause: HoldCause, scope: string | null): string => `${cause} ${scope ?? ''}`;

const toIso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());
