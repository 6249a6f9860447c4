import type { HistoryItem, ThreadReference } from '@agent/context-inheritance';
import { openReader, type RunDirectories, type ShownMessage } from '@agent/orchestrator';
import { hashTaskKey, type RunControls, type RunReader } from '@agent/run-store';
import { createFileRunControls, type DirectoryOwner, readOwner } from '@agent/run-store/file';
import { type Locale, processLocale } from '@agent/text/locale';
import { createSecretFilters, type Redact } from '@agent/text/outgoing';
import { loadConfig } from '../config/load-config.ts';
import { collectSecrets, toExpiryDays, toRunDirectories } from '../config/settings.ts';
import { type BuiltInName, builtInNames } from '../platforms/names.ts';
import { type CommandIo, loadTexts } from './command-io.ts';
import type { AskDaemonOptions } from './directory-owner.ts';
import type { CliTexts } from './texts.en.ts';

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
  readonly http: AskDaemonOptions['http'];
  /** @see toExpiryDays */
  readonly expiryDays: ReturnType<typeof toExpiryDays>;
  /** Hosts of the platforms that the configuration names. */
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

/** Runs that ended, as commands look at them. */
interface PastRuns {
  /** Tells whether a run of the thread has ended. */
  readonly isIndexed: (thread: ThreadReference) => Promise<boolean>;
  /** The runs of the thread that ended, newest first, without secrets and people. */
  readonly listHistory: (thread: ThreadReference) => Promise<readonly HistoryItem[]>;
}

/** Looks at runs that ended, through the index, without owning it; what it takes is loaded when it is asked. */
function openPast(options: {
  readonly directories: RunDirectories;
  readonly secrets: readonly string[];
  readonly locale: Locale;
}): PastRuns {
  const { directories, secrets, locale } = options;
  const { contexts: baseDirectory, paused: pausedDirectory } = directories;
  const openIndex = async () => {
    const { createFileTaskIndex } = await import('@agent/run-store/file');
    return createFileTaskIndex({ baseDirectory, pausedDirectory, readOnly: true });
  };
  return {
    isIndexed: async ({ taskKeyText, host }) => {
      const index = await openIndex();
      return (await index.find({ taskKeyHash: hashTaskKey(taskKeyText), host })).length > 0;
    },
    listHistory: async (thread) => {
      const library = await import('@agent/context-inheritance');
      const { find: listRuns } = await openIndex();
      const reader = library.createFilePreviousRunReader({ baseDirectory, listRuns });
      return new library.ContextInheritanceManager(reader, { secrets, locale }).listHistory(thread);
    },
  };
}

/** The host that tasks of a platform are filed under; null for one that the configuration does not name. */
type PlatformHosts = Readonly<Record<BuiltInName, string | null>>;

/** As the platforms' adapters say it, without connecting to them. */
function toPlatformHosts(
  sections: Readonly<Record<BuiltInName, { readonly base_url: string } | null>>,
): PlatformHosts {
  const hosts = builtInNames.map((name) => {
    const section = sections[name];
    return [name, section && new URL(section.base_url).host.replace(/^api\.github\.com$/, 'github.com')];
  });
  return Object.fromEntries(hosts);
}
