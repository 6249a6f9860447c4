import { hostname as readHostname } from 'node:os';
import type { Logger } from '@agent/text';
import { type ExpectationsOf, expected, expectNumber } from '@agent/text/options';
import { createKeyedTurns } from '@agent/text/waiting';
import { translated } from '../context-store-error.ts';
import type { RunDriver, RunHandle, TakenRun } from '../driver.ts';
import type { NewFact } from '../journal/journal-writer.ts';
import type { LoadedJournal } from '../journal/loaded-journal.ts';
import type { RecordReading } from '../journal/record-reading.ts';
import type { Json, MessageLike } from '../journal-model.ts';
import { formatOpened, toNewMetadata } from '../lines/run-documents.ts';
import {
  type NewPause,
  type TaskState,
  toPausedState,
  toResumedState,
  toTaskStateFile,
} from '../lines/task-state.ts';
import type { OpenRun, WholeRunStore } from '../ports.ts';
import { createOutbox, requireNoOpenIntents } from '../record/outbox-ledger.ts';
import type { RunPlace } from '../run-model.ts';
import { requireUuid } from '../storage-names.ts';
import { toPausedRuns, toUnfinishedRuns } from './list-runs.ts';
import { openRecord, readWhole } from './open-record.ts';
import { openEndedRun, toOpenRun } from './open-run.ts';
import { hasEnded, isMissing, isNotPaused, requireRunning, wasNeverPaused } from './run-errors.ts';

/** Options of a store of runs, wherever it stores them. */
export interface RunStoreOptions<Message> {
  /** Checks a message that is read back; throws if it is not a message. */
  readonly parseMessage: (json: unknown) => Message;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Silent by default. */
  readonly logger?: Logger | null | undefined;
  /** Name of this machine, as `metadata.json` stores it. Default the system's. */
  readonly hostname?: string | undefined;
  /** Default this process's. */
  readonly processId?: number | undefined;
}

/** Conditions of the options of a store, wherever it stores runs. */
export const storeExpectations: ExpectationsOf<RunStoreOptions<never>> = {
  parseMessage: expected.function,
  now: expected.function,
  logger: expected.logger,
  hostname: expected.text,
  processId: expectNumber(0, { isWhole: true }),
};

/** A run that this store opened, and its journal once that is open. */
interface OpenedRun<Message> {
  readonly taken: TakenRun;
  readonly loaded: LoadedJournal<Message> | null;
}

/** Creates a store of runs over a medium. */
export function createRunStore<Message extends MessageLike>(
  driver: RunDriver,
  options: RunStoreOptions<Message>,
): WholeRunStore<Message> {
  return new DrivenRunStore(driver, options);
}

/** The rules of a run's life, for every medium: the driver stores, and decides nothing. */
class DrivenRunStore<Message extends MessageLike> implements WholeRunStore<Message> {
  readonly #driver: RunDriver;
  readonly #options: RunStoreOptions<Message>;
  /** Runs that were opened here and not put away, by uuid. A second opening of these is no crash. */
  readonly #opened = new Map<string, OpenedRun<Message>>();
  readonly #turns = createKeyedTurns();

  constructor(driver: RunDriver, options: RunStoreOptions<Message>) {
    this.#driver = driver;
    this.#options = options;
  }

  readonly open: WholeRunStore<Message>['open'] = (run, { alone = false } = {}) => {
    const work = async () => {
      requireUuid(run.uuid);
      const metadata = toNewMetadata(run, this.#options);
      const taken = await this.#driver.create({ metadata, body: formatOpened(metadata), alone });
      return taken === null ? this.#restore(run.uuid) : this.#openTaken(taken, { opening: null });
    };
    return translated(
      this.#turns(run.uuid, work),
      `open run ${run.uuid} in "${this.#driver.locate('running')}"`,
    );
  };

  readonly restore: WholeRunStore<Message>['restore'] = (uuid) => {
    const action = `restore run ${uuid} in "${this.#driver.locate('running')}"`;
    return translated(
      this.#turns(uuid, () => this.#restore(uuid)),
      action,
    );
  };

  readonly listInterrupted: WholeRunStore<Message>['listInterrupted'] = () => {
    const work = async () => {
      await this.#driver.sweep?.();
      return toUnfinishedRuns(await this.#driver.list('running'));
    };
    return translated(work(), `list the runs in "${this.#driver.locate('running')}"`);
  };

  readonly finish: WholeRunStore<Message>['finish'] = (uuid) => {
    const work = async () => {
      const run = await this.#find(uuid);
      if (run.place === 'completed') return;
      requireRunning(uuid, run.place);
      await this.#settle(uuid);
      const facts = await run.readFacts();
      requireNoOpenIntents(uuid, facts.outbox);
      await this.#driver.index(facts);
      await this.#putAway(uuid, 'completed');
    };
    return translated(work(), `move run ${uuid} to "${this.#driver.locate('completed')}"`);
  };

  readonly index: WholeRunStore<Message>['index'] = (uuid) => {
    const work = async () => {
      const run = await this.#find(uuid);
      requireRunning(uuid, run.place);
      const facts = await run.readFacts();
      if (facts.outcome !== null && facts.outcome.status !== 'needs_input') await this.#driver.index(facts);
    };
    return translated(work(), `index run ${uuid}`);
  };

  readonly commitPause: WholeRunStore<Message>['commitPause'] = (uuid, pause) => {
    const work = async () => {
      const run = await this.#find(uuid);
      requireRunning(uuid, run.place);
      return this.#commitPause(run, { uuid, pause });
    };
    return translated(work(), `save the pause of run ${uuid} in "${this.#driver.locate('running')}"`);
  };

  readonly pause: WholeRunStore<Message>['pause'] = (uuid, newPause) => {
    const work = async () => {
      const run = await this.#find(uuid);
      if (run.place === 'paused') return (await run.readFacts()).pause ?? Promise.reject(isNotPaused(uuid));
      requireRunning(uuid, run.place);
      const state = await this.#commitPause(run, { uuid, pause: newPause });
      await this.#settle(uuid);
      await this.#putAway(uuid, 'paused').catch(async (error: unknown) => {
        await this.#writePause({ ...state, status: 'running' }).catch((err: unknown) =>
          this.#options.logger?.warn({ err, uuid }, 'failed to roll back pause; completing it at next start'),
        );
        throw error;
      });
      return state;
    };
    return translated(work(), `move run ${uuid} to "${this.#driver.locate('paused')}"`);
  };

  readonly listPaused: WholeRunStore<Message>['listPaused'] = () => {
    const listed = this.#driver.list('paused').then(toPausedRuns);
    return translated(listed, `list the runs in "${this.#driver.locate('paused')}"`);
  };

  readonly resume: WholeRunStore<Message>['resume'] = (uuid) => {
    const work = async () => {
      const run = await this.#find(uuid, 'paused');
      const { place, record } = run;
      if (place === 'completed') throw hasEnded(uuid);
      // What cannot be read stays where it is, instead of failing among the running ones at every start.
      const { parseMessage } = this.#options;
      const reading = place === 'paused' ? await readWhole<Message>(record, { uuid, parseMessage }) : null;
      const { pause } = reading?.facts ?? (await run.readFacts());
      if (pause === null) throw wasNeverPaused(uuid);
      if (place === 'paused' && pause.status !== 'paused') throw isNotPaused(uuid);
      await this.#opened.get(uuid)?.loaded?.retire();
      const taken = await this.#driver.take(uuid, place);
      const resumed = pause.status === 'paused' ? toResumedState(pause, this.#timestamp()) : pause;
      if (resumed !== pause) await taken.begin({ name: 'resumed', data: toTaskStateFile(resumed) });
      return {
        ...(await this.#openTaken(taken, { opening: this.#describe(true), reading })),
        pause: resumed,
      };
    };
    return translated(this.#turns(uuid, work), `resume run ${uuid} from "${this.#driver.locate('paused')}"`);
  };

  readonly openState: WholeRunStore<Message>['openState'] = (uuid) =>
    this.#driver.openState(uuid, {
      append: (fact) => this.#append(uuid, fact),
      isKept: () => true,
      isOpen: false,
    });

  readonly openOutbox: WholeRunStore<Message>['openOutbox'] = (uuid) =>
    createOutbox({
      readLedger: async () => (await (await this.#find(uuid)).readFacts()).outbox,
      append: (fact) => this.#append(uuid, fact),
    });

  readonly openEnded: WholeRunStore<Message>['openEnded'] = (uuid) => {
    const opened = openEndedRun<Message>(this.#driver, { uuid, parseMessage: this.#options.parseMessage });
    return translated(opened, `open run ${uuid} in "${this.#driver.locate('completed')}"`);
  };

  async #restore(uuid: string): Promise<OpenRun<Message>> {
    requireRunning(uuid, (await this.#find(uuid)).place);
    const opening = this.#describe(this.#opened.has(uuid));
    await this.#opened.get(uuid)?.loaded?.retire();
    return this.#openTaken(await this.#driver.take(uuid, 'running'), { opening });
  }

  async #openTaken(
    taken: TakenRun,
    opening: { readonly opening: Json; readonly reading?: RecordReading<Message> | null },
  ): Promise<OpenRun<Message>> {
    const { parseMessage, logger = null } = this.#options;
    this.#opened.set(taken.uuid, { taken, loaded: null });
    const timestamp = () => this.#timestamp();
    const loaded = await openRecord<Message>(taken, { parseMessage, logger, timestamp, ...opening });
    this.#opened.set(taken.uuid, { taken, loaded });
    return toOpenRun(this.#driver, taken, {
      loaded,
      newest: () => this.#opened.get(taken.uuid)?.loaded ?? null,
    });
  }

  async #find(uuid: string, wanted: RunPlace = 'running'): Promise<RunHandle> {
    requireUuid(uuid);
    const run = await this.#driver.find(uuid);
    if (run === null) throw isMissing(uuid, this.#driver.locate(wanted));
    return run;
  }

  async #commitPause(
    { contextPath, readFacts }: RunHandle,
    { uuid, pause }: { readonly uuid: string; readonly pause: NewPause },
  ): Promise<TaskState> {
    const { outcome, pause: earlier, metadata } = await readFacts();
    if (outcome !== null && outcome.status !== 'needs_input') throw hasEnded(uuid);
    if (earlier?.status === 'paused') return earlier;
    const pausedAt = this.#timestamp();
    return this.#writePause(toPausedState(pause, { metadata, earlier, pausedAt, contextPath }));
  }

  async #writePause(state: TaskState): Promise<TaskState> {
    const name = state.status === 'paused' ? 'paused' : 'resumed';
    await this.#append(state.uuid, { name, data: toTaskStateFile(state) });
    return state;
  }

  async #append(uuid: string, fact: NewFact): Promise<void> {
    const loaded = this.#opened.get(uuid)?.loaded ?? null;
    await (loaded === null ? (await this.#find(uuid)).append(fact) : loaded.appendFact(fact));
  }

  /** Brings what is derived from the record up to date, and releases what is open for it. */
  async #settle(uuid: string): Promise<void> {
    const loaded = this.#opened.get(uuid)?.loaded ?? null;
    await (loaded === null ? this.#driver.project?.(uuid) : loaded.settle());
  }

  async #putAway(uuid: string, place: Exclude<RunPlace, 'running'>): Promise<void> {
    const opened = this.#opened.get(uuid);
    await this.#driver.move(opened?.taken ?? (await this.#driver.take(uuid, 'running')), place);
    await opened?.loaded?.retire();
    this.#opened.delete(uuid);
  }

  #timestamp(): string {
    return new Date((this.#options.now ?? Date.now)()).toISOString();
  }

  /** Data of the fact that this process opens a run; `own` if it is no sign of a crash. */
  #describe(own: boolean): Json {
    const { hostname = readHostname(), processId = process.pid } = this.#options;
    return { process_id: processId, hostname, own };
  }
}
