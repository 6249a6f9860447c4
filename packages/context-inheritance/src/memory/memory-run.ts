import { toErrorMessage } from '@agent/text';
import { createTurns } from '@agent/text/waiting';
import { type ReadTreeFile, verifyEvidence } from '../decisions/check-evidence.ts';
import type { DecisionEvidence, KeyDecision } from '../decisions/decision.ts';
import { keepDecisions, resolveDecisions } from '../decisions/resolve-decisions.ts';
import { shortenUuid } from '../format-values.ts';
import type { InheritedMemory } from './inherit-memory.ts';
import { MemoryError } from './memory-error.ts';
import { type CheckedDecision, checkRunInput, type KnownSources, type RunInput } from './memory-input.ts';
import {
  type EndedRun,
  formatEndedRun,
  formatOpenRun,
  type OpenRun,
  type RunResults,
  toKey,
} from './memory-record.ts';
import { heartbeatMs } from './running-process.ts';
import { type RunAccess, readThreadRuns, type ThreadRuns, toTimeAfter } from './thread-runs.ts';

/** Access to storage, secrets and timers that all runs of a memory share. */
export interface MemoryParts extends RunAccess {
  /** Takes secrets out of a text. */
  readonly redact: (text: string) => Promise<string>;
  /** Repeats a task until the returned function is called. Does not keep the process alive. */
  readonly every: (intervalMs: number, task: () => void) => () => void;
  /** Ended runs of a thread that are stored. Older ones are deleted once a later run keeps their decisions. */
  readonly mostRuns: number;
}

/** Facts that a run began with. */
export interface RunStart {
  readonly id: string;
  readonly thread: string;
  readonly startedAt: string;
  readonly inherited: InheritedMemory;
  readonly sources: Pick<KnownSources, 'comments' | 'request'>;
  readonly readFile: ReadTreeFile | null;
}

/** Decisions that were stored. */
export interface StoredResults {
  /** In the order in which they were given, with the ids by which later decisions replace them. */
  readonly decisions: readonly KeyDecision[];
}

/** One run on a thread. It ends with `finish` or `fail`. */
export class MemoryRun {
  /** Unique among all runs. */
  readonly id: string;
  readonly inherited: InheritedMemory;
  readonly #start: RunStart;
  readonly #parts: MemoryParts;
  #results: RunResults = { summary: '', decisions: [] };
  #hasEnded = false;
  #stopHeartbeat: () => void = () => undefined;
  /** Writes of this run, one after another. */
  readonly #inTurn = createTurns();

  private constructor(start: RunStart, parts: MemoryParts) {
    this.id = start.id;
    this.inherited = start.inherited;
    this.#start = start;
    this.#parts = parts;
  }

  /** Stores that the run began. Rejects if it could not be stored. */
  static async begin(start: RunStart, parts: MemoryParts): Promise<MemoryRun> {
    const run = new MemoryRun(start, parts);
    await run.#writeOpen(run.#results);
    run.#stopHeartbeat = parts.every(heartbeatMs, () => run.#beat());
    return run;
  }

  /**
   * Stores results before the run ends: if the process crashes, later runs inherit them. Decisions add up; a summary replaces the
   * last one.
   * @throws TypeError for malformed results. Nothing is stored then, and the run stays open
   * @throws {MemoryError}
   */
  save(results: RunInput): Promise<StoredResults> {
    return this.#enqueue('save', async () => {
      const { added, all } = await this.#prepare(results, await this.#read());
      await this.#writeOpen(all);
      this.#results = all;
      return { decisions: added };
    });
  }

  /**
   * Stores the results for later runs and ends the run.
   * @throws TypeError for malformed results. Nothing is stored then, the run stays open, and `finish` can be called again
   * @throws {MemoryError}
   */
  finish(results: RunInput = {}): Promise<StoredResults> {
    return this.#enqueue('finish', async () => {
      const runs = await this.#read();
      const { added, all } = await this.#prepare(results, runs);
      await this.#end(all, { runs, status: 'completed', reason: null });
      return { decisions: added };
    });
  }

  /**
   * Ends the run as failed. Later runs inherit what it saved.
   * @throws {MemoryError}
   */
  fail(reason: unknown): Promise<void> {
    return this.#enqueue('fail', async () => {
      const text = await this.#parts.redact(toErrorMessage(reason));
      await this.#end(this.#results, { runs: await this.#read(), status: 'failed', reason: text });
    });
  }

  /** Ends a run as failed that was neither finished nor failed, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#inTurn(async () => undefined);
    if (!this.#hasEnded) await this.fail('The run ended without finish().');
  }

  #read(): Promise<ThreadRuns> {
    return readThreadRuns(this.#start.thread, this.#parts);
  }

  #enqueue<Result>(action: string, work: () => Promise<Result>): Promise<Result> {
    return this.#inTurn(async () => {
      if (this.#hasEnded)
        throw new MemoryError(`Run ${this.id} has ended. Begin a new run instead of calling ${action}().`, {
          code: 'run-ended',
        });
      return work();
    });
  }

  #beat(): void {
    // A late beat of a run that has ended does nothing.
    this.#enqueue('beat', () => this.#writeOpen(this.#results)).catch((err: unknown) => {
      if (!this.#hasEnded)
        this.#parts.logger?.warn({ err, run: this.id }, 'failed to write heartbeat of run');
    });
  }

  async #writeOpen(results: RunResults): Promise<void> {
    const { storage, processes, now, redact } = this.#parts;
    const { id, thread, startedAt } = this.#start;
    const owner = { process: processes.own, beatAt: now().getTime() };
    const run: OpenRun = { id, thread: await redact(thread), startedAt, ...results, ...owner };
    await storage.write(thread, formatOpenRun(run));
  }

  /** Checks and redacts new results, and adds them to the earlier ones. */
  async #prepare(
    input: RunInput,
    runs: ThreadRuns,
  ): Promise<{ readonly added: readonly KeyDecision[]; readonly all: RunResults }> {
    const own = this.#results.decisions;
    const stored = [...runs.ended, ...runs.running, ...runs.crashed].flatMap(({ decisions }) => decisions);
    const { decisions: inherited, retracted } = this.inherited;
    const ids = [...own, ...stored, ...inherited, ...retracted].map(({ id }) => id);
    const { summary, decisions } = toldToCorrect(() =>
      checkRunInput(input, { ...this.#start.sources, decisionIds: new Set(ids) }),
    );
    const added = await Promise.all(
      decisions.map((decision, index) => this.#toKeyDecision(decision, own.length + index + 1)),
    );
    return {
      added,
      all: {
        summary: summary === null ? this.#results.summary : await this.#parts.redact(summary),
        decisions: [...own, ...added],
      },
    };
  }

  async #toKeyDecision(decision: CheckedDecision, number: number): Promise<KeyDecision> {
    const { redact } = this.#parts;
    const { text, source, isTrusted, subject, replaces } = decision;
    return {
      id: `${shortenUuid(this.id)}-${number}`,
      text: await redact(text),
      subject: subject === null ? null : await redact(subject),
      source: source.kind === 'comment' ? { ...source, commentId: await redact(source.commentId) } : source,
      isTrusted,
      replaces,
      evidence: await this.#toEvidence(decision),
      origin: null,
    };
  }

  /** Evidence with a secret in it is left out: redacted, it would match no file. */
  async #toEvidence({ paths, quote }: CheckedDecision): Promise<DecisionEvidence | null> {
    const { redact } = this.#parts;
    const isClean = async (text: string) => (await redact(text)) === text;
    const cleanPaths = (await Promise.all(paths.map(isClean))).flatMap((is, index) =>
      is ? (paths[index] ?? []) : [],
    );
    if (cleanPaths.length === 0) return null;
    const claimed = { paths: cleanPaths, quote: quote !== null && (await isClean(quote)) ? quote : null };
    const { readFile } = this.#start;
    return readFile === null ? claimed : verifyEvidence(claimed, readFile);
  }

  async #end(
    { summary, decisions: own }: RunResults,
    { runs, status, reason }: Pick<EndedRun, 'status' | 'reason'> & { readonly runs: ThreadRuns },
  ): Promise<void> {
    const { storage, redact, now, logger, mostRuns } = this.#parts;
    const { id, thread, startedAt } = this.#start;
    const others = runs.ended.filter((run) => run.id !== id);
    const decisions = [...own, ...(await this.#keepDecisions(others, own))];
    const endedAt = toTimeAfter(now(), others);
    const run = { id, thread: await redact(thread), startedAt, endedAt, status, reason, summary, decisions };
    await storage.write(thread, formatEndedRun(run, 'ended'));
    this.#hasEnded = true;
    this.#stopHeartbeat();
    try {
      await storage.remove(thread, toKey(id, 'open'));
      await storage.remove(thread, toKey(id, 'crashed'));
      // Decisions of the runs that are deleted are in the document that was just written.
      for (const old of others.slice(mostRuns - 1))
        for (const state of ['crashed', 'ended'] as const) await storage.remove(thread, toKey(old.id, state));
    } catch (err) {
      logger?.warn({ err, run: id }, 'failed to delete old documents of memory');
    }
  }

  /** Decisions of trusted users in all earlier runs. Whether their sources still exist is checked when they are inherited. */
  async #keepDecisions(
    ended: readonly EndedRun[],
    own: readonly KeyDecision[],
  ): Promise<readonly KeyDecision[]> {
    const deciding = ended.map(({ id, endedAt, decisions }) => {
      return { uuid: id, completedAt: endedAt, keyDecisions: decisions };
    });
    const { decisions } = await resolveDecisions(deciding, { comments: null, request: null, readFile: null });
    return keepDecisions(decisions, own);
  }
}

function toldToCorrect<Value>(check: () => Value): Value {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new TypeError(
      `${error.message} Nothing was stored and the run is still open: correct it and call again.`,
      {
        cause: error,
      },
    );
  }
}
