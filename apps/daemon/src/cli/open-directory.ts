import { openReader, type ShownMessage } from '@agent/orchestrator';
import { createFileRunControls, type RunControls, type RunReader } from '@agent/run-store';
import { type Locale, processLocale } from '@agent/text';
import { createSecretFilters, type Redact } from '@agent/text/outgoing';
import { collectSecrets } from '../config/collect-secrets.ts';
import { loadConfig } from '../config/load-config.ts';
import { type PlatformHosts, toPlatformHosts } from '../config/platform-hosts.ts';
import { type RunDirectories, toRunDirectories } from '../config/run-directories.ts';
import type { Config } from '../config/schema.ts';
import { toExpiryDays } from '../config/to-expiry-days.ts';
import type { CommandIo } from './command-io.ts';
import { loadTexts } from './load-texts.ts';
import { openPast, type PastRuns } from './open-past.ts';
import { type DirectoryOwner, readOwner } from './read-owner.ts';
import type { CliTexts } from './texts.ts';

/** The runs that a configuration names, for commands that stand beside the daemon. */
export interface OpenedDirectory extends PastRuns {
  readonly texts: CliTexts;
  readonly locale: Locale;
  readonly reader: RunReader<ShownMessage>;
  readonly controls: RunControls;
  readonly pauseSignalFile: string;
  readonly pauseEnabled: boolean;
  readonly redact: Redact;
  readonly directories: RunDirectories;
  readonly environment: CommandIo['environment'];
  readonly http: Config['http'];
  /** @see toExpiryDays */
  readonly expiryDays: ReturnType<typeof toExpiryDays>;
  /** Of the platforms that the configuration names. */
  readonly hosts: PlatformHosts;
  /** The daemon that works there now; null when there is none. */
  readonly owner: () => Promise<DirectoryOwner | null>;
}

/** @throws ConfigError when the configuration cannot be used */
export async function openDirectory(configFile: string, io: CommandIo): Promise<OpenedDirectory> {
  const { config, environment, directory } = await loadConfig(configFile, io.environment);
  const directories = toRunDirectories({ config, directory });
  const { contexts: baseDirectory, pauseSignalFile } = directories;
  const locale = processLocale(io.environment);
  const secrets = collectSecrets(config, environment);
  return {
    texts: await loadTexts(locale),
    locale,
    reader: openReader(directories),
    controls: createFileRunControls({ baseDirectory, now: io.now }),
    pauseSignalFile,
    pauseEnabled: config.pause_resume.enabled,
    redact: createSecretFilters(secrets).redactOutgoing,
    directories,
    environment,
    http: config.http,
    expiryDays: toExpiryDays(config),
    hosts: toPlatformHosts(config.platforms),
    ...openPast({ directories, secrets, locale }),
    owner: () => readOwner(baseDirectory, { now: io.now() }),
  };
}
