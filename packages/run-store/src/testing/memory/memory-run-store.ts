import { ContextStoreError } from '../../context-store-error.ts';
import type { MessageLike } from '../../journal-model.ts';
import {
  type NewPause,
  type TaskState,
  toPausedState,
  toResumedState,
  toTaskStateFile,
} from '../../lines/task-state.ts';
import { guardStore } from '../../ownership/guard-store.ts';
import type { OpenRun, RecordOwner, WholeRunStore } from '../../ports.ts';
import { hasOpenIntents } from '../../record/outbox-ledger.ts';
import type { NewRun, RunMetadata } from '../../run-model.ts';
import { requireUuid } from '../../run-uuid.ts';
import { requireAlone } from '../../store/require-alone.ts';
import { hasEnded, isMissing, isPaused } from '../../store/run-errors.ts';
import { hashTaskKey } from '../../task-key.ts';
import { copyJson, createMemoryPlace, type MemoryPlace, MemoryRun } from './memory-place.ts';
import { findMemoryRun, listUnfinished, listWaiting, readMemoryJournal } from './memory-run-reader.ts';
import {
  createMemoryJournal,
  createMemoryOutbox,
  createMemoryState,
  createMemorySummaries,
  MemoryWriter,
  type MemoryWriterOptions,
} from './memory-writer.ts';

/** Options of a store in memory. */
export interface MemoryRunStoreOptions {
  /** Default one of its own. */
  readonly place?: MemoryPlace | undefined;
  /** Owner of the place, whose writes are refused once another one took it. Default none. */
  readonly owner?: RecordOwner | null | undefined;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/**
 * Runs in memory, for tests: it passes `runStoreContract`, as the store in files does, and leaves nothing behind.
 * Messages come back as JSON carries them.
 *
 * @example
 * const store = createMemoryRunStore<Message>();
 * const { journal } = await store.open(newRun);
 * await journal.append({ type: 'message', message, usage: null, delivers: [] });
 */
export function createMemoryRunStore<Message extends MessageLike>(
  options: MemoryRunStoreOptions = {},
): WholeRunStore<Message> {
  const { place = createMemoryPlace(), owner = null, now = Date.now } = options;
  const store = new MemoryRunStore<Message>({ place, now, owner: owner?.number ?? null });
  return owner === null ? store : guardStore(store, owner.guard);
}

class MemoryRunStore<Message extends MessageLike> implements WholeRunStore<Message> {
  readonly #options: MemoryWriterOptions;
  /** Openings by this store, by uuid: the last of each alone writes. */
  readonly #writers = new Map<string, MemoryWriter>();

  constructor(options: MemoryWriterOptions) {
    this.#options = options;
  }

  readonly open: WholeRunStore<Message>['open'] = async (newRun, { alone = false } = {}) => {
    requireUuid(newRun.uuid);
    if (alone) requireAlone(listUnfinished(this.#options.place).runs, newRun);
    if (this.#runs.has(newRun.uuid)) return this.#open(this.#requireRunning(newRun.uuid), 'found');
    const run = new MemoryRun(this.#toMetadata(newRun));
    new MemoryWriter(run, this.#options).writeFact('opened', copyJson({ ...newRun }) as never, () => {
      this.#runs.set(newRun.uuid, run);
    });
    return this.#open(run, 'new');
  };

  readonly restore: WholeRunStore<Message>['restore'] = async (uuid) =>
    this.#open(this.#requireRunning(uuid), 'found');

  readonly listInterrupted: WholeRunStore<Message>['listInterrupted'] = async () =>
    listUnfinished(this.#options.place);

  readonly finish: WholeRunStore<Message>['finish'] = async (uuid) => {
    if (this.#runs.get(uuid)?.place === 'completed') return;
    const run = this.#requireRunning(uuid);
    const open = run.outbox.list().filter(({ state }) => state === 'open');
    if (open.length > 0) throw hasOpenIntents(uuid, open);
    this.#move(run, 'completed');
  };

  readonly commitPause: WholeRunStore<Message>['commitPause'] = async (uuid, pause) =>
    this.#commitPause(this.#requireRunning(uuid), pause);

  readonly pause: WholeRunStore<Message>['pause'] = async (uuid, pause) => {
    const found = this.#runs.get(uuid);
    if (found?.place === 'paused' && found.pause !== null) return found.pause;
    const run = this.#requireRunning(uuid);
    const state = this.#commitPause(run, pause);
    this.#move(run, 'paused');
    return state;
  };

  readonly listPaused: WholeRunStore<Message>['listPaused'] = async () => ({
    runs: listWaiting(this.#options.place),
    damaged: [],
  });

  readonly resume: WholeRunStore<Message>['resume'] = async (uuid) => {
    const run = this.#runs.get(uuid);
    if (run === undefined) throw isMissing(uuid, 'memory');
    if (run.place === 'completed') throw hasEnded(uuid);
    if (run.pause === null) throw isInvalid(`Run ${uuid} was never paused. Restore it instead.`);
    if (run.pause.status === 'paused') this.#writePause(run, toResumedState(run.pause, this.#timestamp()));
    if (run.outcome?.status === 'needs_input') run.outcome = null;
    run.place = 'running';
    return { ...this.#open(run, 'left'), pause: run.pause };
  };

  readonly openState: WholeRunStore<Message>['openState'] = (uuid) =>
    createMemoryState(() => this.#writerOf(findMemoryRun(this.#options.place, uuid)));

  readonly openOutbox: WholeRunStore<Message>['openOutbox'] = (uuid) => {
    const find = () => createMemoryOutbox(this.#writerOf(findMemoryRun(this.#options.place, uuid)));
    return {
      open: async (intent) => find().open(intent),
      settle: async (id, result) => find().settle(id, result),
      list: async () => find().list(),
    };
  };

  readonly openEnded: WholeRunStore<Message>['openEnded'] = async (uuid) => {
    const run = this.#runs.get(uuid);
    if (run?.place !== 'completed') throw isMissing(uuid, 'memory');
    return {
      metadata: run.metadata,
      journal: { read: () => readMemoryJournal<Message>(run) },
      finalSummary: createMemorySummaries(this.#writerOf(run)),
    };
  };

  readonly index: WholeRunStore<Message>['index'] = async (uuid) => {
    this.#requireRunning(uuid).isIndexed = true;
  };

  get #runs(): MemoryPlace['runs'] {
    return this.#options.place.runs;
  }

  #requireRunning(uuid: string): MemoryRun {
    requireUuid(uuid);
    const run = this.#runs.get(uuid);
    if (run === undefined) throw isMissing(uuid, 'memory');
    if (run.place === 'completed') throw hasEnded(uuid);
    if (run.place === 'paused') throw isPaused(uuid);
    return run;
  }

  #writerOf(run: MemoryRun): MemoryWriter {
    return this.#writers.get(run.metadata.uuid) ?? new MemoryWriter(run, this.#options);
  }

  #open(run: MemoryRun, kind: 'new' | 'found' | 'left'): OpenRun<Message> {
    const { uuid } = run.metadata;
    const own = kind === 'left' || this.#writers.has(uuid);
    this.#writers.get(uuid)?.retire();
    const writer = new MemoryWriter(run, this.#options);
    this.#writers.set(uuid, writer);
    if (kind !== 'new') writer.writeFact('owned', { own });
    return {
      metadata: run.metadata,
      journal: createMemoryJournal(writer, () => this.#writerOf(run)),
      state: createMemoryState(() => writer),
      outbox: createMemoryOutbox(writer),
      damage: null,
      position: () => run.position,
      finalSummary: createMemorySummaries(writer),
      crashesInARow: run.crashes.crashesInARow(),
      leave: async () => {
        if (run.place === 'running') this.#leave(run);
      },
    };
  }

  #leave(run: MemoryRun): void {
    this.#writerOf(run).writeEnd({ fact: 'left' }, (timestamp) =>
      run.addFact({ type: 'fact', name: 'left', data: {}, timestamp }),
    );
  }

  #commitPause(run: MemoryRun, newPause: NewPause): TaskState {
    const { metadata, outcome, pause: earlier } = run;
    if (outcome !== null && outcome.status !== 'needs_input') throw hasEnded(metadata.uuid);
    if (earlier?.status === 'paused') return earlier;
    const contextPath = `memory/paused/${metadata.uuid}`;
    const pause = copyJson(newPause);
    return this.#writePause(
      run,
      toPausedState(pause, { metadata, earlier, pausedAt: this.#timestamp(), contextPath }),
    );
  }

  #writePause(run: MemoryRun, state: TaskState): TaskState {
    const name = state.status === 'paused' ? 'paused' : 'resumed';
    this.#writerOf(run).writeFact(name, toTaskStateFile(state), () => {
      run.pause = state;
    });
    return state;
  }

  /** The run comes last, so that those that ended stand in the order in which they did. */
  #move(run: MemoryRun, place: MemoryRun['place']): void {
    const { uuid } = run.metadata;
    this.#writers.get(uuid)?.retire();
    this.#writers.delete(uuid);
    run.place = place;
    this.#runs.delete(uuid);
    this.#runs.set(uuid, run);
  }

  #timestamp(): string {
    return new Date(this.#options.now()).toISOString();
  }

  #toMetadata(run: NewRun): RunMetadata {
    return copyJson({
      ...run,
      createdAt: this.#timestamp(),
      processId: process.pid,
      hostname: 'memory',
      taskKeyHash: hashTaskKey(run.taskKeyText),
      inheritedFromUuid: run.inheritedFromUuid ?? null,
      inheritanceDepth: run.inheritanceDepth ?? 0,
    });
  }
}

function isInvalid(message: string): ContextStoreError {
  return new ContextStoreError(message, { code: 'invalid' });
}
