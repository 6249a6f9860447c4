import { resolve } from 'node:path';
import { listWebhookSettings } from '@agent/orchestrator/platforms';
import type { RunStorage } from '@agent/run-store';
import type { Locale } from '@agent/text';
import type { Redact } from '@agent/text/outgoing';
import { pino } from 'pino';
import type { LoadedConfig } from '../config/load-config.ts';
import { listSecretFiles, toPlatformSettings, toRunDirectories } from '../config/settings.ts';
import type { DaemonLogger } from '../log/logger.ts';
import { type DoctorTools, type ProxyEnvironment, type Report, reportOn } from './finding.ts';
import type { DoctorTexts } from './texts.en.ts';

/** An installation that is checked, and what with. */
export interface CheckedInstallation {
  readonly loaded: LoadedConfig;
  readonly configFile: string;
  readonly storage: RunStorage;
  readonly redact: Redact;
  /** True to call the model. */
  readonly callModel: boolean;
}

interface Check {
  /** True for a check that a daemon at work makes as well. The others concern what it finds out by its own first use. */
  readonly atWork: boolean;
  /** Loads the modules of the check when it begins. */
  readonly run: (tools: DoctorTools, at: CheckedInstallation) => Promise<void>;
}

/** Everything that is checked, in this order. */
const checks: readonly Check[] = [
  {
    atWork: true,
    run: async (tools, { loaded, storage }) => {
      const { checkPlatforms } = await import('./check-platforms.ts');
      const { config, environment } = loaded;
      const webhooks = listWebhookSettings(config, environment).filter(({ secret }) => secret !== null);
      const heard = webhooks.map(({ name }) => name);
      const platforms = toPlatformSettings(loaded, storage);
      await checkPlatforms(tools, { ...platforms, heard, branchPrefix: config.branch_prefix });
    },
  },
  {
    atWork: false,
    run: async (tools, { loaded, callModel }) => {
      const { checkModel } = await import('./check-model.ts');
      const { config, environment, directory } = loaded;
      await checkModel(tools, {
        ...{ llm: config.llm, limits: config.limits.max_cost },
        ...{ callModel, showPicture: config.pictures.enabled, environment, directory },
      });
    },
  },
  {
    atWork: false,
    run: async (tools, { loaded, storage, redact }) => {
      const { checkMachine, checkMcpServers, checkSigning } = await import('./check-machine.ts');
      const { config, environment, directory } = loaded;
      const databaseVariable = config.storage.postgres?.url_env ?? '';
      const directories = toRunDirectories(loaded);
      const { run_command: runCommand } = config.tools;
      await checkMachine(tools, {
        ...{ directories, storage, runCommand, http: config.http, environment, databaseVariable },
      });
      await checkSigning(tools, toPlatformSettings(loaded, storage));
      const { createKnownMcpTools } = await import('@agent/orchestrator');
      // Nothing is pinned by looking.
      const pins = createKnownMcpTools({ read: storage.notes.read, change: async () => undefined });
      await checkMcpServers(tools, { servers: config.mcp_servers, environment, directory, redact, pins });
    },
  },
  {
    atWork: false,
    run: async (tools, { loaded, configFile }) => {
      const { checkAgent } = await import('./check-agent.ts');
      const { config: settings, environment } = loaded;
      const { contexts, paused, workspaces } = toRunDirectories(loaded);
      const hidden = [contexts, paused, workspaces, ...listSecretFiles(loaded), resolve(configFile)];
      await checkAgent(tools, { settings, servers: Object.keys(settings.mcp_servers), environment, hidden });
    },
  },
  {
    atWork: true,
    run: async (tools, { loaded: { config, environment, directory }, storage }) => {
      const { checkAccess } = await import('./check-access.ts');
      const { sandbox } = config.tools.run_command;
      await checkAccess(tools, { http: config.http, sandbox, directory, environment });
      const { createKnownRepositories } = await import('@agent/orchestrator');
      const { warning } = reportOn('repositories', tools.report);
      // A storage that cannot be read is a finding of its own check.
      for (const path of await createKnownRepositories(storage.notes)
        .listRefused()
        .catch(() => []))
        warning(tools.texts.otherRepository(path), { fix: `agent-daemon accept ${path}` });
      const { checkPlanning, checkPrograms, checkWebhooks, reportRetention } = await import(
        './check-settings.ts'
      );
      await checkPrograms(tools, { allow: config.tools.run_command.allow, environment });
      checkPlanning(tools, { planning: config.planning, environment });
      checkWebhooks(tools, { settings: config, environment });
      reportRetention(tools, { settings: config });
    },
  },
  {
    atWork: false,
    run: async (tools, { loaded: { config, environment } }) => {
      const { checkTelemetry } = await import('./check-telemetry.ts');
      await checkTelemetry(tools, { telemetry: config.telemetry, environment });
    },
  },
];

/** Makes all checks, one after the other. */
export async function runChecks(tools: DoctorTools, at: CheckedInstallation): Promise<void> {
  for (const { run } of checks) await run(tools, at);
}

interface WorkingDaemon extends ProxyEnvironment {
  readonly locale: Locale;
  /** That of the daemon: receives what is to be fixed. */
  readonly logger: DaemonLogger;
  /** Receives each warning. */
  readonly onWarning: Report;
  readonly signal: AbortSignal;
  readonly now: () => number;
}

/** Makes the checks of a daemon at work, without a request that writes, and logs what is to be fixed. */
export async function logProblems(
  { locale, logger, onWarning, ...daemon }: WorkingDaemon,
  at: CheckedInstallation,
): Promise<void> {
  const texts = await loadDoctorTexts(locale);
  const tools: DoctorTools = {
    ...{ ...daemon, texts, logger: pino({ level: 'silent' }), readsOnly: true, fetch: globalThis.fetch },
    onSkipped: (area, count) =>
      logger.info({ area, count }, 'skipped repositories in the check; run doctor to check all'),
    report: (finding) => {
      const { area, status, text, fix, url } = finding;
      if (status === 'warning') onWarning(finding);
      if (status !== 'ok') logger.warn({ area, finding: text, fix, ...(url && { url }) }, 'found a problem');
    },
  };
  try {
    for (const { atWork, run } of checks) if (atWork && !daemon.signal.aborted) await run(tools, at);
  } catch (error) {
    if (!daemon.signal.aborted) logger.warn({ err: error }, 'failed to check the installation');
  }
}

/** Loads the texts of a language, and of that alone. */
export async function loadDoctorTexts(locale: Locale): Promise<DoctorTexts> {
  return locale === 'ja' ? (await import('./texts.ja.ts')).ja : (await import('./texts.en.ts')).en;
}
