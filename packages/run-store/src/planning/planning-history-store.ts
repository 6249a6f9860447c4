import { join } from 'node:path';
import { createKeyedMutex } from '../disk/keyed-mutex.ts';
import { translated } from '../file/run-errors.ts';
import { toRunPlaces } from '../file/run-places.ts';
import type { JsonObject } from '../run-model.ts';
import type { PlanningEntry, PlanningEntryOf, PlanningEvent } from './planning-entry.ts';
import { appendPlanningEntry, readPlanningFile, toPlanningPath } from './planning-file.ts';
import { type PastExecutionsOptions, readPastExecutions } from './read-past-executions.ts';

/** One for the process, whose files they are. */
const mutex = createKeyedMutex();

/** Options of `PlanningHistoryStore`. */
export interface PlanningHistoryStoreOptions extends PastExecutionsOptions {
  /** The run that plans; it lies in `running/`. */
  readonly uuid: string;
  /** The number of the issue or request, as text: written beside each entry, never searched for. */
  readonly issueId: string;
  readonly host: string;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/**
 * The plans of a run and what came of them, in `planning/{uuid}.jsonl`; and those of earlier runs on the same thread.
 * Each entry is on the disk when its function resolves.
 * @see seed 002 §13.7.2
 */
export class PlanningHistoryStore {
  readonly #options: PlanningHistoryStoreOptions;
  readonly #path: string;

  constructor(options: PlanningHistoryStoreOptions) {
    this.#options = options;
    this.#path = toPlanningPath(join(toRunPlaces(options).running, options.uuid), options.uuid);
  }

  savePlan(plan: JsonObject): Promise<void> {
    return this.#append({ type: 'plan', plan });
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
   * What earlier runs on this thread, that ended, planned and did, oldest first. Named by the hash of the thread's task
   * key: the number of an issue alone would mix up repositories (decision C15).
   */
  async getPastExecutionsForIssue(taskKeyHash: string): Promise<readonly PlanningEntry[]> {
    return readPastExecutions({ taskKeyHash, host: this.#options.host }, this.#options);
  }

  async #list<Type extends PlanningEvent['type']>(type: Type): Promise<readonly PlanningEntryOf<Type>[]> {
    const entries = await this.#read();
    return entries.filter((entry): entry is PlanningEntryOf<Type> => entry.type === type);
  }

  #append(event: PlanningEvent): Promise<void> {
    const { uuid, issueId, now = Date.now } = this.#options;
    const entry = { ...event, timestamp: new Date(now()).toISOString(), issueId, taskUuid: uuid };
    const work = mutex.run(this.#path, () => appendPlanningEntry(this.#path, entry));
    return translated(work, `write "${this.#path}"`);
  }

  #read(): Promise<readonly PlanningEntry[]> {
    return translated(readPlanningFile(this.#path, this.#options.logger ?? null), `read "${this.#path}"`);
  }
}
