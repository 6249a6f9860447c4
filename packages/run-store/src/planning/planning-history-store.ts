import { join } from 'node:path';
import type { Logger } from '@agent/text';
import { translated } from '../context-store-error.ts';
import { createKeyedMutex } from '../disk/keyed-mutex.ts';
import { toTimeMs } from '../disk/stored-values.ts';
import type { TaskIndex, TaskReference } from '../index/indexed-run.ts';
import { type RunPlaces, type RunPlacesOptions, toPlanningPath, toRunPlaces } from '../places.ts';
import type { JsonObject } from '../run-model.ts';
import {
  appendPlanningEntry,
  type PlanningEntry,
  type PlanningEntryOf,
  type PlanningEvent,
  readPlanningFile,
} from './planning-file.ts';

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
 *
 * @example
 * const history = new PlanningHistoryStore({ baseDirectory, index, uuid, issueId: '42', host: 'github.com' });
 * await history.savePlan({ steps: ['read', 'fix'] });
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
   * Reads what earlier runs on this thread, that ended, planned and did, oldest first. Named by the hash of the thread's task
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

/** Options of the look at a task's earlier plannings. */
export interface PastExecutionsOptions extends RunPlacesOptions {
  readonly index: Pick<TaskIndex, 'find'>;
  /** Silent by default. */
  readonly logger?: Logger | null | undefined;
}

/**
 * Reads what the ended runs of one task planned and did, oldest first. Found through the index, by the task's key and
 * host: another repository's issue of the same number is another task, and no other run's file is opened.
 * @see decision C15
 */
export async function readPastExecutions(
  task: TaskReference,
  options: PastExecutionsOptions,
): Promise<readonly PlanningEntry[]> {
  const places = toRunPlaces(options);
  const runs = await options.index.find(task);
  const read = runs.map(({ uuid }) => readOne(uuid, { places, logger: options.logger ?? null }));
  const entries = await translated(Promise.all(read), `read the plans of task ${task.taskKeyHash}`);
  // Times are read once each, not at every comparison.
  const dated = entries.flat().map((entry) => ({ entry, timeMs: toTimeMs(entry.timestamp) }));
  return dated.sort((one, other) => one.timeMs - other.timeMs).map(({ entry }) => entry);
}

/** A run that ended lies in `completed/`, or still in `running/` after a crash. */
async function readOne(
  uuid: string,
  { places, logger }: { readonly places: RunPlaces; readonly logger: Logger | null },
): Promise<readonly PlanningEntry[]> {
  const completed = await readPlanningFile(toPlanningPath(join(places.completed, uuid), uuid), logger);
  if (completed.length > 0) return completed;
  return readPlanningFile(toPlanningPath(join(places.running, uuid), uuid), logger);
}
