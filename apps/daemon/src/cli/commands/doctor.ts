import { resolve } from 'node:path';
import { ConfigError } from '@agent/orchestrator/config';
import { listWebhookSettings } from '@agent/orchestrator/platforms';
import type { Locale } from '@agent/text';
import { processLocale } from '@agent/text/locale';
import { createSecretFilters, type Redact } from '@agent/text/outgoing';
import { pino } from 'pino';
import { type LoadedConfig, loadConfig } from '../../config/load-config.ts';
import { openStorage } from '../../config/open-storage.ts';
import {
  collectSecrets,
  listSecretFiles,
  toPlatformSettings,
  toRunDirectories,
} from '../../config/settings.ts';
import {
  type AreaReport,
  type Finding,
  formatFinding,
  type Report,
  type Reporting,
  reportOn,
} from '../../doctor/finding.ts';
import type { DoctorTexts } from '../../doctor/texts.en.ts';
import type { CommandIo } from '../command-io.ts';

/** Options and arguments of the command line. */
export interface DoctorFlags {
  readonly config: string;
  readonly json?: boolean | undefined;
  /** False with `--no-model`. */
  readonly model: boolean;
}

/**
 * `agent-daemon doctor`: checks everything that a run needs, changes nothing, and says what to fix and where.
 *
 * @returns the exit code: 1 if something has to be fixed
 */
export async function doctorCommand(flags: DoctorFlags, io: CommandIo): Promise<number> {
  const texts = await loadDoctorTexts(processLocale(io.environment));
  const findings: Finding[] = [];
  let redact: Redact = createSecretFilters([]).redactOutgoing;
  const report: Report = (found) => {
    const finding = { ...found, text: redact(found.text) };
    findings.push(finding);
    if (flags.json !== true) io.print(formatFinding(finding));
  };
  const loaded = await checkConfig({ file: flags.config, texts, report }, io);
  if (loaded !== null) {
    redact = createSecretFilters(collectSecrets(loaded.config, loaded.environment)).redactOutgoing;
    await checkAll(flags, { io, loaded, texts, report, redact });
  }
  const failed = findings.filter(({ status }) => status === 'failed').length;
  const warnings = findings.filter(({ status }) => status === 'warning').length;
  if (flags.json === true) io.print(JSON.stringify({ ok: failed === 0, findings }, null, 2));
  else io.print(`\n${failed + warnings === 0 ? texts.allWell : texts.summary(failed, warnings)}`);
  return failed === 0 ? 0 : 1;
}

interface Examination extends Reporting {
  readonly io: CommandIo;
  readonly loaded: LoadedConfig;
  readonly redact: Redact;
}

/** Checks one area after the other. The modules of a check are loaded when it begins. */
async function checkAll(
  flags: DoctorFlags,
  { io, loaded, redact, ...reporting }: Examination,
): Promise<void> {
  const ending = new AbortController();
  const { signal } = ending;
  const logger = pino({ level: 'silent' });
  const { config, environment, directory } = loaded;
  const processEnvironment = io.environment;
  const environments = { environment, processEnvironment };
  const tools = { ...reporting, ...environments, logger, fetch: globalThis.fetch, signal, now: io.now };
  const storage = await openStorage(loaded, { ...io, patienceMs: 10_000 }).catch((error: unknown) => {
    if (!(error instanceof ConfigError)) throw error;
    const fix = reporting.texts.fixConfig['variable-not-set']();
    reportOn('storage.postgres', reporting.report).failed(error.problem, { fix });
    return openStorage(loaded, { ...io, isInFiles: true });
  });
  try {
    const { checkPlatforms } = await import('../../doctor/check-platforms.ts');
    const webhooks = listWebhookSettings(config, environment).filter(({ secret }) => secret !== null);
    const heard = webhooks.map(({ name }) => name);
    const platforms = toPlatformSettings(loaded, storage);
    await checkPlatforms(tools, { ...platforms, heard, branchPrefix: config.branch_prefix });
    const { checkModel } = await import('../../doctor/check-model.ts');
    await checkModel(tools, {
      ...{ llm: config.llm, limits: config.limits.max_cost },
      ...{ callModel: flags.model, showPicture: config.pictures.enabled, environment, directory },
    });
    const { checkMachine, checkMcpServers, checkSigning } = await import('../../doctor/check-machine.ts');
    const { run_command: runCommand } = config.tools;
    const directories = toRunDirectories(loaded);
    const databaseVariable = config.storage.postgres?.url_env ?? '';
    await checkMachine(tools, {
      ...{ directories, storage, runCommand, http: config.http, environment, databaseVariable },
    });
    await checkSigning(tools, platforms);
    await checkMcpServers(tools, { servers: config.mcp_servers, environment, directory, redact });
    const { checkAgent } = await import('../../doctor/check-agent.ts');
    const { contexts, paused, workspaces } = directories;
    const hidden = [contexts, paused, workspaces, ...listSecretFiles(loaded), resolve(flags.config)];
    await checkAgent(tools, {
      settings: config,
      servers: Object.keys(config.mcp_servers),
      environment,
      hidden,
    });
    const { checkPlanning, checkWebhooks } = await import('../../doctor/check-settings.ts');
    checkPlanning(tools, { planning: config.planning, environment });
    checkWebhooks(tools, { settings: config, environment });
    const { checkTelemetry } = await import('../../doctor/check-telemetry.ts');
    await checkTelemetry(tools, { telemetry: config.telemetry, environment });
  } finally {
    // Adapters close what they opened when the signal is aborted.
    ending.abort(new Error('the examination is over'));
  }
}

async function checkConfig(
  { file, texts, report }: Reporting & { readonly file: string },
  io: CommandIo,
): Promise<LoadedConfig | null> {
  const area = reportOn('config', report);
  try {
    const loaded = await loadConfig(file, io.environment);
    area.ok(texts.configOk(file));
    checkEnvFile(loaded, { area, texts, io });
    return loaded;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const { fault, problem } = error;
    const text = fault === 'no-file' ? texts.noConfig(resolve(file)) : problem;
    area.failed(text, { fix: texts.fixConfig[fault ?? 'invalid-settings']() });
    return null;
  }
}

/** Variables that Node reads when it starts, before `.env`. */
const startVariables = ['NODE_EXTRA_CA_CERTS', 'NODE_USE_ENV_PROXY', 'NODE_OPTIONS'];

function checkEnvFile(
  { envFile: { path, variables, problems } }: LoadedConfig,
  { area, texts, io }: Pick<Reporting, 'texts'> & { readonly area: AreaReport; readonly io: CommandIo },
): void {
  for (const problem of problems)
    area.warning(texts.envLine(path, problem), { fix: texts.fixEnvLine[problem.kind] });
  const late = startVariables.filter((name) => variables[name] && !io.environment[name]);
  if (late.length > 0) area.warning(texts.envLate(late.join(', ')), { fix: texts.fixEnvLate });
}

/** Loads the texts of a language, and of that alone. */
async function loadDoctorTexts(locale: Locale): Promise<DoctorTexts> {
  return locale === 'ja'
    ? (await import('../../doctor/texts.ja.ts')).ja
    : (await import('../../doctor/texts.en.ts')).en;
}
