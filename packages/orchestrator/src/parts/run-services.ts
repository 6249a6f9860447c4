import type { Doorbell } from '@agent/platforms/sources';
import type { RunReader, RunStorage } from '@agent/run-store';
import type { RunTools } from '@agent/runner';
import type { Locale } from '@agent/text';
import type { SecretFilters } from '@agent/text/outgoing';
import type { TextWorker } from '@agent/text/worker';
import type { CommandSandbox } from '@agent/workspace/sandbox';
import type { KnownRepositories } from '../admission/known-repositories.ts';
import type { ObserveBoard } from '../board/board-event.ts';
import type { RunSettings } from '../config/run-settings.ts';
import type { ReadRun } from '../conversation/open-conversation.ts';
import type { FindAgent } from '../environment/open-agent-gate.ts';
import type { RunRecords } from '../host/open-records.ts';
import type { ConfiguredModel, Environment, RunLogger } from '../host/ports.ts';
import type { OpenRunModels } from '../models/run-models.ts';
import type { ModelWatch } from '../models/watch-model.ts';
import type { UnsettledRuns } from '../outbox/unsettled-runs.ts';
import type { EarlierRuns } from '../past/earlier-runs.ts';
import type { PrePlanning } from '../planning/open-pre-planning.ts';
import type { SpendingServices } from '../spending/run-spending.ts';
import type { AuditLog } from '../state/audit-log.ts';
import type { RunTelemetry } from '../telemetry/run-telemetry.ts';
import type { HandoverRecords, UnansweredRecords } from '../triggers/handover-records.ts';

/** Everything that the runs of one process share. Read by `assembleRuns` alone: each step is made of what it reads. */
export interface RunServices extends Pick<RunStorage, 'controls' | 'pauseSignal' | 'snapshots' | 'sharing'> {
  readonly settings: RunSettings;
  /** The limits of runs as they stand now; those of `settings` are of the start. */
  readonly readLimits: () => RunSettings['limits'];
  readonly store: RunRecords['store'];
  /** Work that earlier runs of a thread left; null where nothing is inherited. */
  readonly earlierRuns: EarlierRuns | null;
  /** Pre-planning of runs; null when they begin at once. */
  readonly prePlanning: PrePlanning | null;
  /** True where runs that begin plan. */
  readonly plans: boolean;
  readonly readRun: ReadRun;
  /** Uuids of all runs that are kept. */
  readonly listKept: () => Promise<ReadonlySet<string>>;
  /** Why the agent put labels back itself. */
  readonly handovers: HandoverRecords;
  /** Repositories by the names under which tasks were begun. */
  readonly repositories: KnownRepositories;
  /** Comments that no run has answered. */
  readonly unanswered: UnansweredRecords;
  /** Runs that have ended, and whose end is not whole on their threads. */
  readonly unsettled: UnsettledRuns;
  /** Log of what users do. */
  readonly audit: AuditLog;
  /** Rung by webhooks. */
  readonly doorbell: Pick<Doorbell, 'hasNotified' | 'onRing'>;
  readonly reader: Pick<RunReader<unknown>, 'listRunning' | 'readOverview'>;
  readonly model: Pick<ConfiguredModel, 'description' | 'tasks'>;
  /** Watch over its endpoint. */
  readonly modelWatch: ModelWatch;
  /** Opens the models of a run, whose calls it pays for. */
  readonly openModels: OpenRunModels;
  /** Money of all runs; null where no price is known. */
  readonly spending: SpendingServices | null;
  /** Cleans what strangers wrote, off the main thread. */
  readonly textWorker: TextWorker;
  readonly sandbox: CommandSandbox;
  readonly environment: Environment;
  readonly findAgent: FindAgent;
  /** Tools of the configured MCP servers, under names that begin with their server's. */
  readonly mcpTools: RunTools;
  /** Lists tools of MCP servers that wait for an operator, such as `mcp:tracker/list`. */
  readonly listWaitingTools: () => Promise<readonly string[]>;
  readonly logger: RunLogger;
  readonly secrets: SecretFilters;
  /** Language of the log lines that exist in two: the process's own. */
  readonly logLocale: Locale;
  /** Tells the live view and the HTTP endpoints what happens. */
  readonly observe: ObserveBoard;
  readonly telemetry: Pick<RunTelemetry, 'carry'>;
  /** Aborted when the process is asked to end: runs abort their step and save. */
  readonly shutdown: AbortSignal;
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly now: () => number;
  /** Milliseconds of a clock that only moves forward. Default that of the process. */
  readonly monotonicNow?: (() => number) | undefined;
}
