import { createTaskLabels, type LabelsResult, toConnectOptions } from '@agent/orchestrator/platforms';
import { PlatformError } from '@agent/platforms';
import { processLocale } from '@agent/text/locale';
import { createSecretFilters } from '@agent/text/outgoing';
import { pino } from 'pino';
import { loadConfig } from '../../config/load-config.ts';
import { openStorage } from '../../config/open-storage.ts';
import { collectSecrets, toPlatformSettings } from '../../config/settings.ts';
import { cleanLine } from '../../text/terminal-text.ts';
import { auditAct } from '../audit-act.ts';
import { type CommandIo, loadTexts } from '../command-io.ts';
import type { CliTexts } from '../texts.en.ts';

/** Options and arguments of the command line. */
export interface LabelsFlags {
  readonly config: string;
  /** True to show the missing labels without creating them. */
  readonly dryRun?: boolean | undefined;
}

/**
 * `agent-daemon labels`: creates the missing labels in all configured repositories and projects, and prints a line for each.
 *
 * @returns the exit code: 1 if a repository or platform failed
 * @throws ConfigError when the configuration cannot be used
 */
export async function labelsCommand({ config, dryRun = false }: LabelsFlags, io: CommandIo): Promise<number> {
  const loaded = await loadConfig(config, io.environment);
  const texts = await loadTexts(processLocale(io.environment));
  const redact = createSecretFilters(collectSecrets(loaded.config, loaded.environment)).redactOutgoing;
  const storage = await openStorage(loaded, { ...io, patienceMs: 10_000 });
  const settings = toPlatformSettings(loaded, storage);
  const surroundings = { logger: pino({ level: 'silent' }), signal: io.ended, observe: () => {} };
  const results = createTaskLabels({
    sections: settings.sections,
    connect: toConnectOptions(settings, surroundings),
    now: io.now,
    dryRun,
  });
  const printAll = async (): Promise<boolean> => {
    let count = 0;
    let isDone = true;
    for await (const result of results) {
      count += 1;
      if (result.kind === 'failed') isDone = false;
      io.print(redact(formatResult(result, { texts: texts.labels, dryRun })));
    }
    if (count === 0) io.print(texts.labels.none);
    return isDone;
  };
  const act = { action: 'labels', target: null };
  const isDone = dryRun ? await printAll() : await auditAct({ storage, texts }, act, { io, act: printAll });
  return isDone ? 0 : 1;
}

function formatResult(
  result: LabelsResult,
  { texts, dryRun }: { readonly texts: CliTexts['labels']; readonly dryRun: boolean },
): string {
  switch (result.kind) {
    case 'ensured': {
      const { repository, created } = result;
      if (created.length === 0) return `✓ ${cleanLine(texts.exist(repository))}`;
      const names = created.join(', ');
      return dryRun
        ? `! ${cleanLine(texts.missing(repository, names))}`
        : `✓ ${cleanLine(texts.created(repository, names))}`;
    }
    case 'failed': {
      const { platform, place, error } = result;
      const isClosed = PlatformError.isInstance(error) && error.scope === 'place';
      const lines = [`✗ ${cleanLine(`${place ?? platform}: ${error.message}`)}`];
      return [...lines, ...(isClosed ? [`    → ${texts.fixAccess}`] : [])].join('\n');
    }
    case 'unused':
      return `✓ ${cleanLine(texts.unused(result.platform, result.trigger))}`;
    case 'unsupported':
      return `! ${cleanLine(texts.unsupported(result.platform))}`;
  }
}
