import type { TaskReference, ThreadReference } from '@agent/platforms';
import { buildInheritanceContext, sanitizeTexts } from './build-inheritance-context.ts';
import {
  type ContextInheritanceOptions,
  type InheritanceSettings,
  toInheritanceSettings,
} from './context-inheritance-options.ts';
import type { KnownPeople } from './create-sanitizer.ts';
import type { ReadTreeFile } from './decisions/check-evidence.ts';
import { type FitOptions, type FittedInheritance, fitInheritance } from './fit-inheritance.ts';
import type { HistoryItem } from './format-comments.ts';
import { hashText } from './hash-text.ts';
import type { InheritanceCommands } from './inheritance-commands.ts';
import { type LoadedContext, type LoadOptions, loadPreviousContexts } from './load-previous-contexts.ts';
import type { CurrentComments, InheritanceContext, PreviousContext, PreviousRun } from './model.ts';
import { createPlanAdvice, type PlanAdvice, type PlanAdviceOptions } from './plan-advice.ts';
import type { PreviousRunReader } from './ports.ts';
import { findLastEnd, type RunSelection, selectRuns } from './select-runs.ts';
import { decidePlanUse } from './to-plan-record.ts';

/** Knowledge that a run which begins has of its thread. */
export interface InheritanceRequest {
  /** The thread's comments, listed whole; null or left out when that was not possible: no decision counts as stale. */
  readonly comments?: CurrentComments | null;
  /** SHA-256 of title and text of the issue as they are now; null or left out where it is not known. */
  readonly request?: string | null;
  /** Reads the tree that the run begins with; null or left out: no decision counts as stale. */
  readonly readFile?: ReadTreeFile | null;
  /** The answer of `findInheritanceCommands`; a refusal inherits nothing. */
  readonly refusal?: InheritanceCommands['refusal'];
}

/** Share of the budget of the blocks that each phase of a plan may be told on top of them: a quarter. */
const adviceShare = 4;

/**
 * Finds what earlier runs of the same task left, and hands it to a new one. @see seed 002 §3.2.1
 *
 * @example
 * const manager = new ContextInheritanceManager(createPreviousRunReader({ lines, listRuns: index.find }));
 * const context = await manager.getInheritanceContext({ taskKeyText: 'github_issue:octo:cat:42', host: 'github.com' });
 * if (context !== null) system += manager.createInheritedPrompt(context);
 */
export class ContextInheritanceManager {
  readonly #reader: PreviousRunReader;
  readonly #settings: InheritanceSettings;
  readonly #runs: RunListCache;

  /** @throws TypeError without a reader */
  constructor(reader: PreviousRunReader, options: ContextInheritanceOptions = {}) {
    if (typeof reader?.listRuns !== 'function') {
      throw new TypeError(
        'ContextInheritanceManager needs a reader of earlier runs, such as createPreviousRunReader({ lines, listRuns }).',
      );
    }
    this.#reader = reader;
    this.#settings = toInheritanceSettings(options);
    const { cacheMs, now } = this.#settings;
    this.#runs = createRunListCache(reader.listRuns, { maxAgeMs: cacheMs, now });
  }

  /**
   * The newest runs that may be inherited from, newest first: as many as the depth allows, and those between them that
   * left no usable summary, with `summary` null.
   * @throws when the index could not be asked
   */
  async findPreviousContexts(thread: ThreadReference): Promise<readonly PreviousContext[]> {
    const search = await this.#search(thread);
    const loaded = search === null ? [] : await this.#load(thread, { search, of: 'summaries' });
    return loaded.map(({ context }) => context);
  }

  /**
   * Collects what a new run inherits; null when there is nothing, or it was refused: the run is a new task.
   * @throws when the index could not be asked: nobody knows then whether there is something
   */
  async getInheritanceContext(
    thread: ThreadReference,
    { comments = null, request = null, readFile = null, refusal = null }: InheritanceRequest = {},
  ): Promise<InheritanceContext | null> {
    if (refusal !== null) return null;
    const search = await this.#search(thread);
    if (search === null) return null;
    const loaded = await this.#load(thread, { search, of: 'everything' });
    const context = await buildInheritanceContext(loaded, {
      present: { comments, request, readFile },
      processingCount: search.selection.eligible.length,
      people: search.people,
      settings: this.#settings,
    });
    if (context !== null) this.#settings.log.detected(context.previousContexts.length, thread.taskKeyText);
    return context;
  }

  /** The block for the end of the system prompt; empty when there is no room for it. @see seed 002 §4.3.1 */
  createInheritedPrompt(context: InheritanceContext): string {
    return this.createInheritedPrompts(context, { mode: 'normal' }).system ?? '';
  }

  /** All blocks, which share the budget, and what they contain. */
  createInheritedPrompts(context: InheritanceContext, { mode }: Pick<FitOptions, 'mode'>): FittedInheritance {
    const fitted = fitInheritance(context, { ...this.#settings.fit, mode });
    const { inheritedFromUuid: uuid, inheritanceDepth: depth } = context;
    if (fitted.system !== null) this.#settings.log.used({ uuid, depth, tokens: fitted.tokens });
    return fitted;
  }

  /** Takes secrets and addresses of people out of all texts of what an earlier run wrote, such as its plan. */
  cleanTexts<Value>(value: Value): Promise<Value> {
    const { sanitize } = this.#settings;
    return sanitizeTexts(value, { sanitize, people: { users: [], hostnames: [] } });
  }

  /** Lessons of earlier plans for the phases of this one; `enclose` marks a text as data. @see seed 002 §13.4–§13.6 */
  createPlanAdvice(
    context: InheritanceContext,
    { enclose }: Pick<PlanAdviceOptions, 'enclose'> = {},
  ): PlanAdvice {
    const { rules, fit } = this.#settings;
    const maxTokens = Math.floor(fit.maxTokens / adviceShare);
    return createPlanAdvice(context, { rules, enclose, maxTokens, countTokens: fit.countTokens });
  }

  /**
   * Decides whether the newest plan of what is inherited goes on: the uuid of its run, or null where plans are only to be
   * referred to. `request` is the fingerprint of the present one. @see seed 002 §13.3, decision C14
   */
  findContinuable(
    context: InheritanceContext,
    { request }: { readonly request: string | null },
  ): string | null {
    const { now, contextExpiryDays: expiryDays } = this.#settings;
    const [record] = context.plans;
    // What a later run did without a plan is not in this one.
    if (record === undefined || record.runUuid !== context.inheritedFromUuid) return null;
    const facts = { now: now(), expiryDays, presentRequest: request };
    return decidePlanUse(record, facts) === 'continue' ? record.runUuid : null;
  }

  /**
   * Runs of the thread that ended, newest first, for `/show-history`, whatever hides them from inheriting.
   * @throws when the index could not be asked
   */
  async listHistory(thread: ThreadReference): Promise<readonly HistoryItem[]> {
    const { sanitize, log } = this.#settings;
    const runs = await this.#runs.list(toIndexedTask(thread));
    const options = { ...toIndexedTask(thread), showsAll: true, settings: this.#settings };
    const { people, selection } = searchRuns(runs, options);
    const { eligible } = selection;
    // A run without a summary is a line of the history like any other.
    const skipped: typeof log.skipped = (uuid, reason, err) =>
      reason === 'no-summary' ? undefined : log.skipped(uuid, reason, err);
    const onMissing = async () => undefined;
    const parts = { reader: this.#reader, sanitize, log: { ...log, skipped }, people, onMissing };
    const contexts = await loadPreviousContexts(eligible, {
      most: eligible.length,
      taskKeyText: thread.taskKeyText,
      of: 'summaries',
      parts,
    });
    const summaries = new Map(contexts.map(({ context: { uuid, summary } }) => [uuid, summary]));
    return eligible.map(({ uuid, status, completedAt, inheritanceDepth }) => {
      return { uuid, status, completedAt, inheritanceDepth, summary: summaries.get(uuid) ?? null };
    });
  }

  /**
   * Finds the end of the thread's last run: only commands given after that count. Null when none has ended.
   * @throws when the index could not be asked
   */
  async findLastEnd(thread: ThreadReference): Promise<string | null> {
    const task = toIndexedTask(thread);
    return findLastEnd(await this.#runs.list(task), task);
  }

  /** Makes the next search ask the index again: to be called when a run of the thread has ended. */
  forget(thread: ThreadReference): void {
    this.#runs.forget(toIndexedTask(thread));
  }

  async #search(thread: ThreadReference): Promise<RunSearch | null> {
    const { enabled, log } = this.#settings;
    if (!enabled) return null;
    const task = toIndexedTask(thread);
    log.searching(thread.taskKeyText);
    try {
      const search = searchRuns(await this.#runs.list(task), { ...task, settings: this.#settings });
      log.filtered(search.selection);
      return search;
    } catch (err) {
      log.searchFailed(thread.taskKeyText, err);
      throw err;
    }
  }

  #load(
    thread: ThreadReference,
    { search: { selection, people }, of }: { readonly search: RunSearch } & Pick<LoadOptions, 'of'>,
  ): Promise<readonly LoadedContext[]> {
    const { maxInheritanceDepth: most, sanitize, log, forgetRun } = this.#settings;
    const task = toIndexedTask(thread);
    const onMissing = async ({ uuid }: { readonly uuid: string }) => {
      this.#runs.forget(task);
      await forgetRun(task, uuid);
    };
    const parts = { reader: this.#reader, sanitize, log, people, onMissing };
    return loadPreviousContexts(selection.eligible, { most, taskKeyText: thread.taskKeyText, of, parts });
  }
}

/** @throws TypeError for what names no thread */
function toIndexedTask(thread: ThreadReference): TaskReference {
  const { taskKeyText, host } = thread ?? {};
  if (typeof taskKeyText !== 'string' || typeof host !== 'string') {
    throw new TypeError(
      'A thread is { taskKeyText, host }, such as "github_issue:owner:repo:42" on "github.com".',
    );
  }
  return { taskKeyHash: hashText(taskKeyText), host };
}

/** The runs of a thread, parted, and whom their texts may name. */
interface RunSearch {
  readonly selection: RunSelection;
  readonly people: KnownPeople;
}

interface RunSearchOptions extends TaskReference {
  readonly settings: Pick<InheritanceSettings, 'now' | 'contextExpiryDays' | 'includeFailedContexts'>;
  /** True for a list for people: neither age nor failure nor `/fresh-start` hides a run. Default false. */
  readonly showsAll?: boolean;
}

/** Parts the listed runs of a thread by the settings. */
function searchRuns(
  runs: readonly PreviousRun[],
  { taskKeyHash, host, settings, showsAll = false }: RunSearchOptions,
): RunSearch {
  const listed = showsAll ? runs.map((run) => ({ ...run, inheritanceBarrierAt: null })) : runs;
  const selection = selectRuns(listed, {
    taskKeyHash,
    host,
    now: settings.now(),
    expiryDays: showsAll ? Number.POSITIVE_INFINITY : settings.contextExpiryDays,
    includeFailed: showsAll || settings.includeFailedContexts,
  });
  return { selection, people: { users: listKnown(runs, 'user'), hostnames: listKnown(runs, 'hostname') } };
}

function listKnown(runs: readonly PreviousRun[], key: 'user' | 'hostname'): readonly string[] {
  return [...new Set(runs.map((run) => run[key]).filter((name) => name !== null))];
}

const mostTasks = 100;

/** Lists runs, and remembers each answer for a while. @see seed 002 §9.1, decision C19 */
interface RunListCache {
  readonly list: (task: TaskReference) => Promise<readonly PreviousRun[]>;
  /** Makes the next call ask again, as after the end of a run of this task. */
  readonly forget: (task: TaskReference) => void;
}

export interface RunListCacheOptions {
  readonly maxAgeMs: number;
  readonly now: () => Date;
}

/** Failures are not remembered, and a clock that ran backwards ends what was remembered before. */
function createRunListCache(
  listRuns: PreviousRunReader['listRuns'],
  { maxAgeMs, now }: RunListCacheOptions,
): RunListCache {
  const known = new Map<string, { readonly at: number; readonly runs: readonly PreviousRun[] }>();
  const nameOf = ({ taskKeyHash, host }: TaskReference) => `${taskKeyHash} ${host}`;
  return {
    list: async (task) => {
      const name = nameOf(task);
      const at = now().getTime();
      const entry = known.get(name);
      const age = at - (entry?.at ?? 0);
      if (entry !== undefined && age >= 0 && age < maxAgeMs) return entry.runs;
      known.delete(name);
      const runs = await listRuns(task);
      known.set(name, { at, runs });
      const oldest = known.keys().next();
      if (known.size > mostTasks && oldest.done !== true) known.delete(oldest.value);
      return runs;
    },
    forget: (task) => {
      known.delete(nameOf(task));
    },
  };
}
