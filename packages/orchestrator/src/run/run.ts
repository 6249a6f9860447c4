import type { Platform, PlatformThread, TaskKey } from '@agent/platforms';
import type { Doorbell, ThreadSource } from '@agent/platforms/sources';
import type {
  FileRunJournal,
  FinalSummaries,
  PausedRuns,
  RestingRuns,
  RunControls,
  RunState,
  RunStore,
  ShownRun,
} from '@agent/run-store';
import type { RunTools } from '@agent/runner';
import type { Locale } from '@agent/text';
import type { Redact } from '@agent/text/outgoing';
import type { TextWorker } from '@agent/text/worker';
import type { GitWorkspaces } from '@agent/workspace';
import type { CommandSandbox } from '@agent/workspace/sandbox';
import type { ModelMessage } from 'ai';
import type { ObserveBoard } from '../board/board-event.ts';
import type { RunSettings } from '../config/run-settings.ts';
import type { Acknowledgements } from '../inbox/create-acknowledgements.ts';
import type { TrustPolicy } from '../inbox/create-trust.ts';
import type { EarlierRuns } from '../past/earlier-runs.ts';
import type { RunLineage } from '../past/run-lineage.ts';
import type { ConfiguredModel, RunLogger } from '../ports.ts';
import type { PrePlanning } from '../pre-plan/open-pre-planning.ts';
import type { TaskTrigger } from '../triggers/task-trigger.ts';
import type { ChangeRequestKind } from './change-request-words.ts';
import type { Handover } from './check-handover.ts';
import type { HandoverRecords } from './handover-records.ts';
import type { RequestMeter } from './request-meter.ts';
import type { RunAudience } from './run-audience.ts';
import type { RunControl } from './run-control.ts';
import type { ModelWatch } from './watch-model.ts';

/** A platform as the daemon runs it: its ports, its labels, and the git that goes with it. */
export interface ConfiguredPlatform {
  readonly platform: Platform;
  /** How people give threads there to the agent. */
  readonly trigger: TaskTrigger;
  /** Whether issues are worked on that fewer people may read than what a run pushes. */
  readonly confidentialIssues: 'refuse' | 'allow';
  readonly workspaces: GitWorkspaces;
  /** Opens the comments of one of its threads; makes no request itself. */
  readonly openSource: (thread: Pick<PlatformThread, 'key' | 'comments'>) => ThreadSource;
  /** Milliseconds that a run has to wait before it begins, beside so many that run there; 0 for not at all. */
  readonly runWaitMs: (running: number) => number;
  /** The agent's name there, where the configuration or the environment says it (CD-44). */
  readonly botName: string | null;
  /** Who may steer there. */
  readonly trust: TrustPolicy;
}

/** What every run of this process shares. */
export interface RunParts {
  readonly config: RunSettings;
  readonly store: RunStore<ModelMessage> & PausedRuns<ModelMessage> & RestingRuns<ModelMessage>;
  /** What earlier runs of a thread left; null where nothing is to be taken over. */
  readonly earlierRuns: EarlierRuns | null;
  /** How runs get ready before their first step; null when they begin at once. */
  readonly prePlanning: PrePlanning | null;
  /** Reads any run, wherever it lies; the AI SDK checks its messages before they are sent. */
  readonly readRun: (uuid: string) => Promise<ShownRun<ModelMessage>>;
  /** What people ask of single runs, through files. */
  readonly controls: RunControls;
  /** Why the agent put labels back itself. */
  readonly handovers: HandoverRecords;
  /** While this file exists, runs pause and none begins. */
  readonly pauseSignalFile: string;
  readonly model: ConfiguredModel;
  /** Whether its endpoint answers. */
  readonly modelWatch: ModelWatch;
  /** Cleans what strangers wrote, off the main thread. */
  readonly textWorker: TextWorker;
  readonly sandbox: CommandSandbox;
  /** Tools of the configured MCP servers, under names that begin with their server's. */
  readonly mcpTools: RunTools;
  /** Rung by webhooks: names the threads that are worth a look now. */
  readonly doorbell: Doorbell;
  readonly logger: RunLogger;
  /** Towards the model and the journal. */
  readonly hideKnownSecrets: Redact;
  /** Towards everybody else. */
  readonly redactOutgoing: Redact;
  /** Of the log lines that exist in two languages: the process's own. */
  readonly logLocale: Locale;
  /** Tells the live view and the HTTP endpoints what happens. */
  readonly observe: ObserveBoard;
  /** Aborted when the process is asked to end: runs finish their step and save. */
  readonly shutdown: AbortSignal;
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly now: () => number;
}

/** One run while this process carries it. */
export interface ActiveRun {
  readonly uuid: string;
  readonly key: TaskKey;
  readonly platform: ConfiguredPlatform;
  readonly thread: PlatformThread;
  /** What is said on the thread, as cheaply as it can be heard. */
  readonly comments: ThreadSource;
  /** Who may read what this run writes. */
  readonly audience: RunAudience;
  /** Shows on the thread what was heard. */
  readonly acknowledgements: Acknowledgements;
  readonly journal: FileRunJournal<ModelMessage>;
  /** What is kept with it, by name. */
  readonly state: RunState;
  readonly finalSummary: FinalSummaries;
  readonly facts: RunFacts;
  readonly lineage: RunLineage;
  /** When it began (ISO 8601). */
  readonly startedAt: string;
  readonly meter: RequestMeter;
  /** What is asked of this run from outside. */
  readonly control: RunControl;
  /** How many processes in a row died with this run without completing a step. */
  readonly crashesInARow: number;
  /** Gives the run back in order at a shutdown, so that the next start does not count a crash. */
  readonly leave: () => Promise<void>;
  readonly logger: RunLogger;
}

/** What is fixed when a run begins; kept in `metadata.json` under these names in snake_case. */
export interface RunFacts {
  readonly kind: 'issue' | ChangeRequestKind;
  readonly number: number;
  readonly title: string;
  readonly url: string;
  readonly locale: Locale;
  /** When the thread last changed before the run began, by the platform's clock; null where that was not kept. */
  readonly threadUpdatedAt: string | null;
  /** Whether we were assigned when the run began: only then can taking the assignment away stop it at once. */
  readonly assigned: boolean;
  /** Who gave the thread to the agent; null where the platform does not say, and for runs of earlier versions. */
  readonly handover: Handover | null;
  /** What is worked in; null where the thread belongs to no repository: then the answer is a comment alone. */
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
