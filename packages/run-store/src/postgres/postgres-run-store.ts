import { hostname as readHostname } from 'node:os';
import type { Logger } from '@agent/text';
import { createKeyedTurns } from '@agent/text/waiting';
import { ContextStoreError } from '../context-store-error.ts';
import type { LoadedJournal } from '../journal/file-run-journal.ts';
import { createFinalSummaryReader, findSummaryPlace } from '../journal/final-summaries.ts';
import type { NewFact } from '../journal/journal-writer.ts';
import { readJournal } from '../journal/read-journal.ts';
import { createRecordReading, type RecordReading } from '../journal/record-reading.ts';
import type { Json, MessageLike } from '../journal-model.ts';
import { formatFact } from '../lines/record-line.ts';
import { toMetadataFile, toNewMetadata } from '../lines/run-documents.ts';
import { toFinalSummaryLine } from '../lines/summary-line.ts';
import { type TaskState, toPausedState, toResumedState, toTaskStateFile } from '../lines/task-state.ts';
import type { OpenRun, Ownership, WholeRunStore } from '../ports.ts';
import { createRestingOutbox, hasOpenIntents } from '../record/outbox-ledger.ts';
import { hasEnded } from '../store/run-errors.ts';
import { toIndexEntry } from './index-rows.ts';
import { openRows } from './open-rows.ts';
import { openRecordRows, readRowFacts } from './record-rows.ts';
import { sealText } from './row-writer.ts';
import { createRunAccess, isNotPaused, type RunAccess } from './run-access.ts';
import { listPausedRows, listRunningRows } from './run-lists.ts';
import { isNoMember, type Writer } from './run-rows.ts';
import type { Schema } from './schema.ts';
import { createStateRows } from './state-rows.ts';

/** Options of a store in a database. */
export interface PostgresRunStoreOptions<Message> {
  readonly schema: Schema;
  /** Process that writes; each run that it opens gets a number of its own. */
  readonly owner: Pick<Ownership, 'number'>;
  readonly parseMessage: (json: unknown) => Message;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
  readonly logger?: Logger | null | undefined;
}

/** Runs as rows: who opened one last writes to it. */
export class PostgresRunStore<Message extends MessageLike> implements WholeRunStore<Message> {
  readonly #options: PostgresRunStoreOptions<Message>;
  readonly #access: RunAccess;
  readonly #states: ReturnType<typeof createStateRows>;
  /** Runs that were opened here, with what writes to them. */
  readonly #opened = new Map<
    string,
    { readonly writer: Writer; readonly loaded: LoadedJournal<Message> | null }
  >();
  /** Openings that were not left, put away or taken over. */
  readonly #atWork = new Map<string, Writer>();
  readonly #turns = createKeyedTurns();

  constructor(options: PostgresRunStoreOptions<Message>) {
    this.#options = options;
    const { schema, owner } = options;
    this.#access = createRunAccess({ schema, member: owner.number, timestamp: () => this.#timestamp() });
    this.#states = createStateRows(schema);
  }

  /** Openings at work, for the lease of their process. */
  readonly listOpenings = (): readonly Writer[] => [...this.#atWork.values()];

  readonly open: WholeRunStore<Message>['open'] = (run, { alone = false } = {}) =>
    this.#inTurn(run.uuid, async () => {
      const writer = await this.#access.toWriter(run.uuid);
      const metadata = toNewMetadata(run, this.#options);
      const data = toMetadataFile(metadata);
      const body = formatFact({ name: 'opened', data, timestamp: metadata.createdAt });
      const first = sealText(body, { line: 0, check: '', owner: writer.owner });
      const isMade = await this.#access.rows.insert(writer, { metadata, first, alone });
      return isMade ? this.#openTaken(writer, { end: first, opening: null }) : this.#restore(run.uuid);
    });

  readonly restore: WholeRunStore<Message>['restore'] = (uuid) =>
    this.#inTurn(uuid, () => this.#restore(uuid));

  readonly listInterrupted: WholeRunStore<Message>['listInterrupted'] = () =>
    listRunningRows(this.#options.schema);

  readonly listPaused: WholeRunStore<Message>['listPaused'] = () => listPausedRows(this.#options.schema);

  readonly finish: WholeRunStore<Message>['finish'] = async (uuid) => {
    if ((await this.#access.require(uuid)).place === 'completed') return;
    await this.#access.requireRunning(uuid);
    await this.#opened.get(uuid)?.loaded?.settle();
    const facts = await readRowFacts(this.#options.schema, uuid);
    const open = facts.outbox.list().filter(({ state }) => state === 'open');
    if (open.length > 0) throw hasOpenIntents(uuid, open);
    await this.#putIntoIndex(uuid, { isPutAway: true });
    await this.#putAway(uuid, 'completed');
  };

  readonly index: WholeRunStore<Message>['index'] = async (uuid) => {
    await this.#access.requireRunning(uuid);
    await this.#putIntoIndex(uuid, { isPutAway: false });
  };

  readonly commitPause: WholeRunStore<Message>['commitPause'] = async (uuid, pause) => {
    await this.#access.requireRunning(uuid);
    const { outcome, pause: earlier, metadata } = await readRowFacts(this.#options.schema, uuid);
    if (outcome !== null && outcome.status !== 'needs_input') throw hasEnded(uuid);
    if (earlier?.status === 'paused') return earlier;
    const pausedAt = this.#timestamp();
    const contextPath = `paused/${uuid}`;
    return this.#writePause(toPausedState(pause, { metadata, earlier, pausedAt, contextPath }));
  };

  readonly pause: WholeRunStore<Message>['pause'] = async (uuid, pause) => {
    if ((await this.#access.require(uuid)).place === 'paused') {
      const { pause: paused } = await readRowFacts(this.#options.schema, uuid);
      return paused ?? Promise.reject(isNotPaused(uuid));
    }
    const state = await this.commitPause(uuid, pause);
    await this.#putAway(uuid, 'paused').catch(async (error: unknown) => {
      const { logger } = this.#options;
      await this.#writePause({ ...state, status: 'running' }).catch((err: unknown) =>
        logger?.warn({ err, uuid }, 'failed to roll back pause; completing it at next start'),
      );
      throw error;
    });
    return state;
  };

  readonly resume: WholeRunStore<Message>['resume'] = (uuid) =>
    this.#inTurn(uuid, async () => {
      const { place } = await this.#access.require(uuid);
      if (place === 'completed') throw hasEnded(uuid);
      const { pause } = await readRowFacts(this.#options.schema, uuid);
      if (pause === null || (place === 'paused' && pause.status !== 'paused')) throw isNotPaused(uuid);
      // What cannot be read stays where it is, instead of failing among the running ones at every start.
      const reading = place === 'paused' ? await this.#readWhole(uuid) : null;
      await this.#opened.get(uuid)?.loaded?.retire();
      const { writer, end } = await this.#access.take(uuid, place);
      const resumed = pause.status === 'paused' ? toResumedState(pause, this.#timestamp()) : pause;
      const opening = this.#describe({ own: true });
      const run = await this.#openTaken(writer, { end, opening, reading });
      if (pause.status === 'paused') await this.#writePause(resumed);
      return { ...run, pause: resumed };
    });

  readonly openState: WholeRunStore<Message>['openState'] = (uuid) =>
    this.#states.open(uuid, {
      append: (fact) => this.#appendFact(uuid, fact),
      member: this.#options.owner.number,
    });

  readonly openOutbox: WholeRunStore<Message>['openOutbox'] = (uuid) =>
    createRestingOutbox({
      readLedger: async () => {
        await this.#access.find(uuid);
        return (await readRowFacts(this.#options.schema, uuid)).outbox;
      },
      append: (fact) => this.#appendFact(uuid, fact),
    });

  readonly openEnded: WholeRunStore<Message>['openEnded'] = async (uuid) => {
    const { schema, parseMessage } = this.#options;
    await this.#access.requireEnded(uuid);
    const record = openRecordRows(schema, uuid);
    return {
      metadata: (await readRowFacts(schema, uuid)).metadata,
      journal: { read: ({ facts } = {}) => readJournal(record, { parseMessage, facts }) },
      finalSummary: {
        ...createFinalSummaryReader(record),
        append: async (summary, { now }) => {
          const data = toFinalSummaryLine(summary, await findSummaryPlace(record)) as Json;
          const timestamp = new Date(now).toISOString();
          await this.#access.appendResting(uuid, { name: 'summary', data, timestamp });
          await this.#putIntoIndex(uuid, { isPutAway: true });
        },
      },
    };
  };

  async #restore(uuid: string): Promise<OpenRun<Message>> {
    await this.#access.requireRunning(uuid);
    const own = this.#opened.has(uuid);
    await this.#opened.get(uuid)?.loaded?.retire();
    const { writer, end } = await this.#access.take(uuid, 'running');
    return this.#openTaken(writer, { end, opening: this.#describe({ own }) });
  }

  async #openTaken(
    writer: Writer,
    opening: Pick<Parameters<typeof openRows<Message>>[0], 'end' | 'opening' | 'reading'>,
  ): Promise<OpenRun<Message>> {
    const { uuid } = writer;
    const { schema, parseMessage, logger = null } = this.#options;
    const timestamp = () => this.#timestamp();
    this.#opened.set(uuid, { writer, loaded: null });
    this.#atWork.set(uuid, writer);
    const onTaken = () => {
      if (this.#atWork.get(uuid) === writer) this.#atWork.delete(uuid);
    };
    const more = { schema, rows: this.#access.rows, parseMessage, timestamp, onTaken, logger };
    const loaded = await openRows<Message>({ writer, ...opening }, more);
    this.#opened.set(uuid, { writer, loaded });
    return this.#toOpenRun(uuid, loaded);
  }

  #toOpenRun(uuid: string, loaded: LoadedJournal<Message>): OpenRun<Message> {
    const { outbox, damage, position, crashesInARow, facts } = loaded;
    const { metadata } = facts;
    if (metadata === null)
      throw new ContextStoreError(`The record of run ${uuid} has no metadata.`, { code: 'damaged' });
    // What ends a run must not be lost, even where it was opened again since.
    const newest = () => this.#opened.get(uuid)?.loaded ?? loaded;
    return {
      ...{ metadata, outbox, damage, position, crashesInARow },
      journal: { ...loaded.journal, finish: (end, more) => newest().journal.finish(end, more) },
      state: this.#states.open(uuid, { append: loaded.appendFact, member: this.#options.owner.number }),
      finalSummary: {
        ...createFinalSummaryReader(openRecordRows(this.#options.schema, uuid)),
        append: (summary, { now }) => loaded.appendFinalSummary(summary, new Date(now).toISOString()),
      },
      leave: async () => {
        if (this.#opened.has(uuid)) await newest().leave();
        this.#atWork.delete(uuid);
      },
    };
  }

  /** Null for a record that has to be cut before it goes on. */
  async #readWhole(uuid: string): Promise<RecordReading<Message> | null> {
    const { schema, parseMessage } = this.#options;
    const reading = createRecordReading({ parseMessage });
    const broken = await reading.readOn(openRecordRows(schema, uuid));
    reading.listEntries();
    return broken === null ? reading : null;
  }

  async #writePause(state: TaskState): Promise<TaskState> {
    const name = state.status === 'paused' ? 'paused' : 'resumed';
    await this.#appendFact(state.uuid, { name, data: toTaskStateFile(state) });
    return state;
  }

  async #appendFact(uuid: string, fact: NewFact): Promise<void> {
    const loaded = this.#opened.get(uuid)?.loaded;
    await (loaded == null ? this.#access.appendResting(uuid, fact) : loaded.appendFact(fact));
  }

  async #putIntoIndex(uuid: string, options: { readonly isPutAway: boolean }): Promise<void> {
    const entry = await toIndexEntry(this.#options.schema, uuid, options);
    if (entry === null) return;
    const member = this.#options.owner.number;
    if (!(await this.#access.rows.index({ uuid, member }, entry))) throw isNoMember();
  }

  async #putAway(uuid: string, place: 'paused' | 'completed'): Promise<void> {
    const opened = this.#opened.get(uuid);
    await opened?.loaded?.settle();
    const { writer } = opened ?? (await this.#access.take(uuid, 'running'));
    await this.#access.move(writer, place);
    await opened?.loaded?.retire();
    this.#opened.delete(uuid);
    this.#atWork.delete(uuid);
  }

  #inTurn<Result>(uuid: string, work: () => Promise<Result>): Promise<Result> {
    return this.#turns(uuid, work);
  }

  #timestamp(): string {
    return new Date((this.#options.now ?? Date.now)()).toISOString();
  }

  #describe({ own }: { readonly own: boolean }): Json {
    return { process_id: process.pid, hostname: readHostname(), own };
  }
}
