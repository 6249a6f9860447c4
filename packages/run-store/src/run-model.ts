import type { CallUsage, JsonObject, RunEnd } from './journal-model.ts';

export type { Json, JsonObject } from './journal-model.ts';

/** A run that begins, as its caller knows it. */
export interface NewRun {
  /** UUID v4; the run's name everywhere. */
  readonly uuid: string;
  /** The task as the seeds write it: `{ type, owner, repo, number }` or alike. */
  readonly taskKey: JsonObject;
  /** Canonical text of the task, such as `github_issue:owner:repo:42`; what is hashed. @see seed 002 §3.3 */
  readonly taskKeyText: string;
  /** Host of the platform, such as `github.com`: the hash does not contain it (decision C7). */
  readonly host: string;
  readonly user: string | null;
  /** Which model worked, and alike: `llm_provider`, `model`, `context_length`, `compression_threshold`. */
  readonly config: JsonObject;
  /** Whatever else is fixed when the run begins, such as `branch`. */
  readonly extra: JsonObject;
  /** The newest run that it takes something over from. Default null: none. @see seed 002 §4.4.1 */
  readonly inheritedFromUuid?: string | null | undefined;
  /** Generations before it; 0, the default, for a run that takes nothing over. */
  readonly inheritanceDepth?: number | undefined;
}

/** `metadata.json`: written once, never changed. @see seed 002 §5.1 */
export interface RunMetadata extends NewRun {
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly processId: number;
  readonly hostname: string;
  /** SHA-256 of `taskKeyText`, in hexadecimal. */
  readonly taskKeyHash: string;
  readonly inheritedFromUuid: string | null;
  readonly inheritanceDepth: number;
}

/** A directory in `running/`. With an outcome the run has ended, and only what follows the end is missing. */
export interface InterruptedRun {
  readonly uuid: string;
  readonly metadata: RunMetadata;
  readonly outcome: (RunEnd & { readonly finishedAt: string }) | null;
  /** Kinds of its open intents, in their order. */
  readonly openIntents: readonly string[];
}

/** Something among the runs that is no run that could be read; it is left where it is. */
export interface DamagedRun {
  /** The entry's name. */
  readonly name: string;
  readonly reason: string;
}

/** A run's final summary, as it goes into the last line of `summaries.jsonl`. */
export interface NewFinalSummary {
  readonly text: string;
  /** Further fields of the line, in snake_case, such as `key_decisions`. */
  readonly fields: JsonObject;
  /** Cost of the model call that wrote it. */
  readonly usage: CallUsage;
}

/** State of the final summary of a run. */
export interface FinalSummaryState {
  readonly isThere: boolean;
  /** True when the newest one stands for all messages that there are. */
  readonly isUpToDate: boolean;
  /** Cost of all of them: a run that continued after its summary gets another. */
  readonly usages: readonly CallUsage[];
}

/** Place where a run lies. */
export type RunPlace = 'running' | 'paused' | 'completed';
