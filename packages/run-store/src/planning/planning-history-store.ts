import type { Logger } from '@agent/text';
import { checkOptions, type ExpectationsOf, expected, expectPort } from '@agent/text/options';
import { toTimeMs } from '../disk/stored-values.ts';
import type { TaskIndex } from '../index/indexed-run.ts';
import type { FactEvent, JournalEntry } from '../journal-model.ts';
import {
  type PlanningEntry,
  type PlanningEntryOf,
  type PlanningEvent,
  parsePlanningLines,
  planningFact,
  toPlanningData,
  toPlanningLine,
} from '../lines/planning-line.ts';
import type { ReadJournalOptions } from '../ports.ts';
import type { JsonObject } from '../run-model.ts';
import type { RunLines } from '../run-reader.ts';

/** Lines that are read of an earlier run: more than a run makes. */
const mostLines = 10_000;

/** Options of `PlanningHistoryStore`. */
export interface PlanningHistoryStoreOptions {
  /** The journal of the run that plans. */
  readonly journal: {
    readonly append: (event: FactEvent) => Promise<number>;
    readonly read: (options?: ReadJournalOptions) => AsyncIterable<JournalEntry<unknown>>;
  };
  readonly uuid: string;
  /** The number of the issue or request, as text: stands beside each entry, never searched for. */
  readonly issueId: string;
  readonly host: string;
  /** Finds earlier runs on the thread, and reads their lines. */
  readonly index: Pick<TaskIndex, 'find'>;
  readonly lines: RunLines;
  /** Silent by default. */
  readonly logger?: Logger | null | undefined;
}

const required = ['journal', 'uuid', 'issueId', 'host', 'index', 'lines'] as const;

const expectations: ExpectationsOf<PlanningHistoryStoreOptions> = {
  journal: expectPort('append', 'read'),
  uuid: expected.text,
  issueId: expected.text,
  host: expected.text,
  index: expectPort('find'),
  lines: expectPort('readLast'),
  logger: expected.logger,
};

/**
 * The plans of a run and what came of them, as lines of its record; and those of earlier runs on the same thread.
 * Each entry is on the disk when its function resolves.
 * @see seed 002 §13.7.2
 *
 * @example
 * const { journal } = await store.open(newRun);
 * const history = new PlanningHistoryStore({ journal, index, lines, uuid, issueId: '42', host: 'github.com' });
 * await history.savePlan({ steps: ['read', 'fix'] });
 */
export class PlanningHistoryStore {
  readonly #options: PlanningHistoryStoreOptions;

  /** @throws {TypeError} that names an option which is missing, unknown or invalid */
  constructor(options: PlanningHistoryStoreOptions) {
    checkOptions('PlanningHistoryStoreOptions', options, expectations, required);
    this.#options = options;
  }

  /** `requestSha256`: fingerprint of the request, by which a later run knows it again; default null. */
  savePlan(
    plan: JsonObject,
    { requestSha256 = null }: { readonly requestSha256?: string | null } = {},
  ): Promise<void> {
    return this.#append({ type: 'plan', plan, requestSha256 });
  }

  saveRevision(revision: Omit<Extract<PlanningEvent, { type: 'revision' }>, 'type'>): Promise<void> {
    return this.#append({ type: 'revision', ...revision });
  }

  saveReflection(evaluation: JsonObject): Promise<void> {
    return this.#append({ type: 'reflection', evaluation });
  }

  saveVerification(verificationResult: JsonObject): Promise<void> {
    return this.#append({ type: 'verification', verificationResult });
  }

  saveReplanDecision(
    decision: Omit<Extract<PlanningEvent, { type: 'replan_decision' }>, 'type'>,
  ): Promise<void> {
    return this.#append({ type: 'replan_decision', ...decision });
  }

  async hasPlan(): Promise<boolean> {
    return (await this.getLatestPlan()) !== null;
  }

  /** The plan of the last plan or revision; null before the first. */
  async getLatestPlan(): Promise<JsonObject | null> {
    const entries = await this.#read();
    const last = entries.findLast(({ type }) => type === 'plan' || type === 'revision');
    if (last?.type === 'plan') return last.plan;
    return last?.type === 'revision' ? last.updatedPlan : null;
  }

  getRevisionHistory(): Promise<readonly PlanningEntryOf<'revision'>[]> {
    return this.#list('revision');
  }

  getAllReflections(): Promise<readonly PlanningEntryOf<'reflection'>[]> {
    return this.#list('reflection');
  }

  getVerifications(): Promise<readonly PlanningEntryOf<'verification'>[]> {
    return this.#list('verification');
  }

  getReplanDecisions(): Promise<readonly PlanningEntryOf<'replan_decision'>[]> {
    return this.#list('replan_decision');
  }

  /**
   * Reads what earlier runs on this thread, that ended, planned and did, oldest first. Named by the hash of the thread's task
   * key: the number of an issue alone would mix up repositories (decision C15).
   */
  async getPastExecutionsForIssue(taskKeyHash: string): Promise<readonly PlanningEntry[]> {
    const { index, lines, host, logger = null } = this.#options;
    const runs = await index.find({ taskKeyHash, host });
    const read = runs.map(async ({ uuid }) => {
      const found = await lines.readLast(uuid, { planning: { limit: mostLines } });
      return parsePlanningLines(found?.planning ?? [], { uuid, logger });
    });
    const entries = (await Promise.all(read)).flat();
    // Times are read once each, not at every comparison.
    const dated = entries.map((entry) => ({ entry, timeMs: toTimeMs(entry.timestamp) }));
    return dated.sort((one, other) => one.timeMs - other.timeMs).map(({ entry }) => entry);
  }

  async #list<Type extends PlanningEvent['type']>(type: Type): Promise<readonly PlanningEntryOf<Type>[]> {
    const entries = await this.#read();
    return entries.filter((entry): entry is PlanningEntryOf<Type> => entry.type === type);
  }

  async #append(event: PlanningEvent): Promise<void> {
    const data = toPlanningData(event);
    await this.#options.journal.append({ type: 'fact', name: planningFact, data });
  }

  async #read(): Promise<readonly PlanningEntry[]> {
    const { journal, uuid, issueId, logger = null } = this.#options;
    const lines: string[] = [];
    for await (const entry of journal.read({ facts: [planningFact] })) {
      if (entry.type !== 'fact' || entry.name !== planningFact) continue;
      lines.push(toPlanningLine(entry, { uuid, taskKey: { number: issueId } }) ?? '{}');
    }
    return parsePlanningLines(lines, { uuid, logger });
  }
}
