import type { RunLogger } from '../host/ports.ts';
import { type RepeatTask, repeatUnreferenced } from '../host/repeat-task.ts';
import type { ProblemCause, ServiceProblem, ServiceState } from '../state/service-state.ts';
import type { TaskBoard } from './task-board.ts';

/** Causes that `Holds` logs as they begin and end. */
const loggedAsHolds: ReadonlySet<ProblemCause> = new Set([
  'requests_primary',
  'requests_secondary',
  'content_writes',
  'money_day',
  'money_person',
  'money_repository',
]);

/**
 * Logs problems of the service as all other views show them: one line when a problem starts, and one when it ends. A process logs the
 * problems that it reports, and those of the service as a whole. Nothing is logged of the first poll, which is due after each start.
 */
export class ProblemLog {
  readonly #logger: Pick<RunLogger, 'info' | 'warn'>;
  readonly #now: () => number;
  #logged: ReadonlyMap<string, ServiceProblem> = new Map();

  constructor({
    logger,
    now,
  }: { readonly logger: Pick<RunLogger, 'info' | 'warn'>; readonly now: () => number }) {
    this.#logger = logger;
    this.#now = now;
  }

  /** Takes the problems of the service, as process `number` sees them. */
  update({ problems }: Pick<ServiceState, 'problems'>, number: number): void {
    const mine = problems.filter((problem) => isLogged(problem, number));
    const current = new Map(mine.map((problem) => [toKey(problem), problem]));
    for (const [key, problem] of current) {
      if (this.#logged.has(key)) continue;
      const { cause, scope, state, by, reason } = problem;
      this.#logger.warn(
        { cause, scope, state, since: toSince(problem), by, reason },
        'service problem started',
      );
    }
    for (const [key, problem] of this.#logged) {
      if (current.has(key)) continue;
      const { cause, scope, since } = problem;
      const durationMs = since === null ? null : this.#now() - since;
      this.#logger.info({ cause, scope, since: toSince(problem), durationMs }, 'service problem ended');
    }
    this.#logged = current;
  }
}

function isLogged({ cause, processes }: ServiceProblem, number: number): boolean {
  if (cause === 'starting' || loggedAsHolds.has(cause)) return false;
  return cause === 'process_silent' || processes.length === 0 || processes.includes(number);
}

const toKey = ({ cause, scope }: ServiceProblem): string => `${cause} ${scope ?? ''}`;

const toSince = ({ since }: ServiceProblem): string | null =>
  since === null ? null : new Date(since).toISOString();

/** Milliseconds between two readings of what other processes report. */
const readMs = 30_000;

export interface KeepProblemLogOptions {
  readonly readService: () => Promise<ServiceState>;
  /** Number of this process. */
  readonly number: number;
  readonly logger: RunLogger;
  readonly now: () => number;
  /** Default an unreferenced interval. */
  readonly repeat?: RepeatTask | undefined;
}

/** Logs the problems of the service whenever conditions of this process change, and each half a minute. @returns what ends that */
export function keepProblemLog(board: TaskBoard, options: KeepProblemLogOptions): () => void {
  const { readService, number, logger, now, repeat = repeatUnreferenced } = options;
  const log = new ProblemLog({ logger, now });
  let [isReading, isDue] = [false, false];
  const read = async (): Promise<void> => {
    isDue = true;
    if (isReading) return;
    isReading = true;
    while (isDue && !board.state.ending) {
      isDue = false;
      // A storage that is away is a condition, which the board has already.
      await readService().then(
        (state) => log.update(state, number),
        () => undefined,
      );
    }
    isReading = false;
  };
  let seen = board.state.conditions;
  const unsubscribe = board.subscribe(() => {
    if (board.state.conditions === seen) return;
    seen = board.state.conditions;
    void read();
  });
  const stop = repeat(() => void read(), readMs);
  return () => {
    unsubscribe();
    stop();
  };
}
