import type { Locale } from '@agent/text';
import { processLocale } from '@agent/text/locale';
import { createSecretFilters, type Redact } from '@agent/text/outgoing';
import { ConfigError } from '../../config/config-error.ts';
import { type LoadedConfig, loadConfig } from '../../config/load-config.ts';
import { collectSecrets } from '../../config/secrets.ts';
import type { DoctorParts } from '../../doctor/doctor-parts.ts';
import { type Finding, formatFinding, type Report, reportOn } from '../../doctor/finding.ts';
import type { DoctorTexts } from '../../doctor/texts.en.ts';
import type { CommandIo } from '../command-io.ts';

/** Areas that are examined, in this order; the configuration comes before them. */
const areas: readonly (() => Promise<(parts: DoctorParts) => void | Promise<void>>)[] = [
  async () => (await import('../../doctor/check-platforms.ts')).checkPlatforms,
  async () => (await import('../../doctor/check-model.ts')).checkModel,
  async () => (await import('../../doctor/check-machine.ts')).checkMachine,
  async () => (await import('../../doctor/check-mcp-servers.ts')).checkMcpServers,
  async () => (await import('../../doctor/check-planning.ts')).checkPlanning,
  async () => (await import('../../doctor/check-webhooks.ts')).checkWebhooks,
];

/** Options and arguments of the command line. */
export interface DoctorFlags {
  readonly config: string;
  readonly json?: boolean | undefined;
  /** False with `--no-model`. */
  readonly model: boolean;
}

/**
 * `agent-daemon doctor`: looks at everything that a run needs, changes nothing, and says what to fix and where.
 *
 * @returns the exit code: 1 when something has to be fixed
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

interface Examination {
  readonly io: CommandIo;
  readonly loaded: LoadedConfig;
  readonly texts: DoctorTexts;
  readonly report: Report;
  readonly redact: Redact;
}

async function checkAll(flags: DoctorFlags, { io, ...examination }: Examination): Promise<void> {
  const ending = new AbortController();
  const { pino } = await import('pino');
  const parts: DoctorParts = {
    ...examination,
    callModel: flags.model,
    logger: pino({ level: 'silent' }),
    fetch: globalThis.fetch,
    signal: ending.signal,
    now: io.now,
  };
  try {
    for (const load of areas) await (await load())(parts);
  } finally {
    // What an adapter keeps open ends with the signal.
    ending.abort(new Error('the examination is over'));
  }
}

async function checkConfig(
  { file, texts, report }: { readonly file: string; readonly texts: DoctorTexts; readonly report: Report },
  io: CommandIo,
): Promise<LoadedConfig | null> {
  const area = reportOn('config', report);
  try {
    const loaded = await loadConfig(file, io.environment);
    area.ok(texts.configOk(file));
    return loaded;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    area.failed(error.message, { fix: texts.fixConfig });
    return null;
  }
}

/** The texts of a language; only that language is loaded. */
async function loadDoctorTexts(locale: Locale): Promise<DoctorTexts> {
  return locale === 'ja'
    ? (await import('../../doctor/texts.ja.ts')).ja
    : (await import('../../doctor/texts.en.ts')).en;
}
