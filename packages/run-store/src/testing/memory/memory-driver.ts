import type { DriverStateOptions, NewRecord, RunDriver, TakenRun } from '../../driver.ts';
import type { NewFact } from '../../journal/journal-writer.ts';
import type { Json } from '../../journal-model.ts';
import { formatFact } from '../../lines/record-line.ts';
import type { RunState } from '../../ports.ts';
import { createState } from '../../store/create-state.ts';
import { requireAlone } from '../../store/list-runs.ts';
import { wasTaken } from '../../store/run-errors.ts';
import type { MemoryPlace } from './memory-place.ts';
import { copyJson, listMemoryRuns, MemoryRun, requireMemoryRun } from './memory-run.ts';

/** Options of a driver in memory. */
export interface MemoryDriverOptions {
  readonly place: MemoryPlace;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Number of the owner that writes; null for none. */
  readonly owner: number | null;
}

/** Stores runs as lines in memory. */
export class MemoryRunDriver implements RunDriver {
  readonly #options: MemoryDriverOptions;

  constructor(options: MemoryDriverOptions) {
    this.#options = options;
  }

  readonly locate: RunDriver['locate'] = () => 'memory';

  readonly find: RunDriver['find'] = async (uuid) => {
    const run = this.#runs.get(uuid);
    if (run === undefined) return null;
    return {
      ...{ place: run.place, contextPath: `memory/paused/${uuid}`, record: run.record },
      readFacts: async () => run.facts,
      append: async (fact) =>
        this.#options.place.write(() => run.append(this.#format(fact), this.#options.owner)),
    };
  };

  readonly create: RunDriver['create'] = async ({ metadata, body, alone }: NewRecord) => {
    const { uuid } = metadata;
    if (this.#runs.has(uuid)) return null;
    if (alone) requireAlone(listMemoryRuns(this.#options.place, 'running'), metadata);
    const run = new MemoryRun(copyJson(metadata));
    this.#options.place.write(() => {
      run.append(body, this.#options.owner);
      this.#runs.set(uuid, run);
    });
    return this.#toTaken(run);
  };

  readonly take: RunDriver['take'] = async (uuid) => {
    const run = this.#require(uuid);
    run.place = 'running';
    return this.#toTaken(run);
  };

  readonly move: RunDriver['move'] = async ({ uuid }, place) => {
    const run = this.#require(uuid);
    run.place = place;
    // Last, so that the runs that ended are in the order in which they did.
    this.#runs.delete(uuid);
    this.#runs.set(uuid, run);
  };

  readonly list: RunDriver['list'] = async (place) => listMemoryRuns(this.#options.place, place);

  readonly openState: RunDriver['openState'] = (uuid, options) =>
    createMemoryState(() => this.#require(uuid).values, options);

  readonly index: RunDriver['index'] = async ({ metadata }) => {
    this.#require(metadata.uuid).isIndexed = true;
  };

  get #runs(): MemoryPlace['runs'] {
    return this.#options.place.runs;
  }

  #require(uuid: string): MemoryRun {
    return requireMemoryRun(this.#options.place, uuid);
  }

  #format(fact: NewFact): string {
    return formatFact({ timestamp: new Date(this.#options.now()).toISOString(), ...fact });
  }

  #toTaken(run: MemoryRun): TakenRun {
    const { uuid } = run.metadata;
    const { place, owner } = this.#options;
    run.opening += 1;
    const { opening } = run;
    let end = run.position;
    const append = async (body: string) => {
      if (run.opening !== opening) throw wasTaken(uuid);
      // What a failed append left is cut off.
      run.lines.length = end.line;
      place.write(() => run.append(body, owner));
      end = run.position;
    };
    return {
      uuid,
      location: 'memory',
      record: run.record,
      begin: async (fact) => {
        if (fact !== null) await append(this.#format(fact));
      },
      cut: async ({ line }) => {
        run.lines.length = line - 1;
        end = run.position;
      },
      openWriter: async () => ({ record: { append, position: () => end }, follower: null }),
    };
  }
}

function createMemoryState(
  open: () => Map<string, Json>,
  { append }: Pick<DriverStateOptions, 'append'>,
): RunState {
  return createState({
    inTurn: (_, work) => work(),
    read: async (name) => copyJson(open().get(name) ?? null),
    write: async ({ name, value, sync, fact }) => {
      if (sync) await append(fact);
      open().set(name, value);
    },
  });
}

/**
 * The state of a run in memory, without the rest of it: for tests of what is stored there.
 *
 * @example
 * const state = createMemoryRunState({ 'plan.json': { step: 2 } });
 */
export function createMemoryRunState(values: Readonly<Record<string, Json>> = {}): RunState {
  const kept = new Map(Object.entries(values));
  return createMemoryState(() => kept, { append: async () => undefined });
}
