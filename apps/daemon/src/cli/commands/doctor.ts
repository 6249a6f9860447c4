import { resolve } from 'node:path';
import { ConfigError } from '@agent/orchestrator/config';
import { processLocale } from '@agent/text/locale';
import { createSecretFilters, type Redact } from '@agent/text/outgoing';
import { pino } from 'pino';
import { type LoadedConfig, loadConfig } from '../../config/load-config.ts';
import { openStorage } from '../../config/open-storage.ts';
import { collectSecrets } from '../../config/settings.ts';
import { loadDoctorTexts, runChecks } from '../../doctor/checks.ts';
import {
  type AreaReport,
  type Finding,
  formatFinding,
  type Report,
  type Reporting,
  reportOn,
} from '../../doctor/finding.ts';
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

/** Checks one area after the other. */
async function checkAll(
  flags: DoctorFlags,
  { io, loaded, redact, ...reporting }: Examination,
): Promise<void> {
  const ending = new AbortController();
  const { signal } = ending;
  const logger = pino({ level: 'silent' });
  const { environment } = loaded;
  const environments = { environment, processEnvironment: io.environment };
  const tools = { ...reporting, ...environments, logger, fetch: globalThis.fetch, signal, now: io.now };
  const storage = await openStorage(loaded, { ...io, patienceMs: 10_000 }).catch((error: unknown) => {
    if (!(error instanceof ConfigError)) throw error;
    const fix = reporting.texts.fixConfig['variable-not-set']();
    reportOn('storage.postgres', reporting.report).failed(error.problem, { fix });
    return openStorage(loaded, { ...io, isInFiles: true });
  });
  try {
    await runChecks(tools, { loaded, configFile: flags.config, storage, redact, callModel: flags.model });
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
