import type { Platform, PlatformThread, RequestRecord } from '@agent/platforms';
import type { ThreadSource } from '@agent/platforms/sources';
import type { FileRunJournal, RunState } from '@agent/run-store';
import type { Locale } from '@agent/text';
import type { GitWorkspaces } from '@agent/workspace';
import type { ModelMessage } from 'ai';
import type { Acknowledgements } from '../inbox/create-acknowledgements.ts';
import type { TrustPolicy } from '../inbox/create-trust.ts';
import type { RunLineage } from '../past/run-lineage.ts';
import type { RunLogger } from '../ports.ts';
import type { TaskTrigger } from '../triggers/task-trigger.ts';
import type { ChangeRequestKind } from './change-request-words.ts';
import type { Handover } from './check-handover.ts';
import type { RunAudience } from './run-audience.ts';

/** A platform as the daemon runs it: its ports, its labels, and the git that goes with it. */
export interface ConfiguredPlatform {
  readonly platform: Platform;
  /** Way in which people give threads there to the agent. */
  readonly trigger: TaskTrigger;
  /** Decides on issues that fewer people may read than what a run pushes. */
  readonly confidentialIssues: 'refuse' | 'allow';
  readonly workspaces: GitWorkspaces;
  /** Opens the comments of one of its threads; makes no request itself. */
  readonly openSource: (thread: Pick<PlatformThread, 'key' | 'comments'>) => ThreadSource;
  /** Milliseconds that a run has to wait before it begins, beside so many that run there; 0 for not at all. */
  readonly runWaitMs: (running: number) => number;
  /** The agent's name there, where the configuration or the environment says it (CD-44). */
  readonly botName: string | null;
  /** Policy of who may steer there. */
  readonly trust: TrustPolicy;
}

/** One run while this process carries it: its identity, its record and its thread. */
export interface Run {
  readonly uuid: string;
  readonly facts: RunFacts;
  readonly lineage: RunLineage;
  /** When it began (ISO 8601). */
  readonly startedAt: string;
  readonly thread: RunThread;
  readonly journal: FileRunJournal<ModelMessage>;
  /** State that is kept with it, by name. */
  readonly state: RunState;
  readonly logger: RunLogger;
}

/** The thread of a run, and the platform on which it is. */
export interface RunThread {
  readonly platform: ConfiguredPlatform;
  /** The platform's ports for it; what the writer writes has no more readers than the audience. */
  readonly ports: PlatformThread;
  /** Its comments, as cheaply as they can be listed. */
  readonly comments: ThreadSource;
  /** Counts the requests of both. */
  readonly meter: RequestMeter;
  /** Knows who may read what the run writes. */
  readonly audience: RunAudience;
  /** Shows people what became of their comments. */
  readonly acknowledgements: Acknowledgements;
}

/** Counts what a run costs on its platform. */
export interface RequestMeter {
  readonly onRequest: (record: RequestRecord) => void;
  readonly count: () => RequestCount;
}

export interface RequestCount {
  /** Requests made to the platform by this process for this run. */
  readonly made: number;
  /** Number of them that were answered "not modified" and cost nothing of the limit. */
  readonly unchanged: number;
}

/** Facts that are fixed when a run begins; kept in `metadata.json` under these names in snake_case. */
export interface RunFacts {
  readonly kind: 'issue' | ChangeRequestKind;
  readonly number: number;
  readonly title: string;
  readonly url: string;
  readonly locale: Locale;
  /** When the thread last changed before the run began, by the platform's clock; null where that was not kept. */
  readonly threadUpdatedAt: string | null;
  /** True where we were assigned when the run began: only then can taking the assignment away stop it at once. */
  readonly assigned: boolean;
  /** Handover of the thread to the agent; null where the platform does not say, and for runs of earlier versions. */
  readonly handover: Handover | null;
  /** Repository that is worked in; null where the thread belongs to no repository: then the answer is a comment alone. */
  readonly repository: RepositoryFacts | null;
}

/** The repository of a run, and the branch that its changes go to. */
export interface RepositoryFacts {
  /** The platform's own number of it; null for a run that was begun before it was kept. */
  readonly id: string | null;
  /** `owner/repo`. */
  readonly path: string;
  readonly cloneUrl: string;
  readonly branch: string;
  readonly baseBranch: string;
}
