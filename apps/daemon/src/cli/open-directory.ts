import type { HistoryItem } from '@agent/context-inheritance';
import {
  type AskDaemonOptions,
  openReader,
  type RunDirectories,
  type ShownMessage,
} from '@agent/orchestrator';
import { type BuiltInName, builtInNames } from '@agent/orchestrator/platforms/names';
import type { ThreadReference } from '@agent/platforms';
import { hashTaskKey, type RunReader, type RunStorage, type StorageMember } from '@agent/run-store';
import { type Locale, processLocale } from '@agent/text/locale';
import { createSecretFilters, type Redact } from '@agent/text/outgoing';
import { loadConfig } from '../config/load-config.ts';
import { openStorage } from '../config/open-storage.ts';
import { collectSecrets, toExpiryDays, toRunDirectories } from '../config/settings.ts';
import { type CommandIo, loadTexts } from './command-io.ts';
import type { CliTexts } from './texts.en.ts';

/** The runs that a configuration names, for commands that stand beside the daemon; closed when the command ends. */
export interface OpenedDirectory extends PastRuns {
  readonly texts: CliTexts;
  readonly locale: Locale;
  readonly storage: RunStorage;
  readonly reader: RunReader<ShownMessage>;
  readonly pauseEnabled: boolean;
  readonly redact: Redact;
  readonly directories: RunDirectories;
  readonly environment: CommandIo['environment'];
  readonly http: AskDaemonOptions['http'];
  /** @see toExpiryDays */
  readonly expiryDays: ReturnType<typeof toExpiryDays>;
  /** Hosts of the platforms that the configuration names. */
  readonly hosts: PlatformHosts;
}

/** Longest wait of a command for a database that is away. */
const patienceMs = 10_000;

/** @throws ConfigError when the configuration cannot be used */
export async function openDirectory(configFile: string, io: CommandIo): Promise<OpenedDirectory> {
  const loaded = await loadConfig(configFile, io.environment);
  const { config, environment } = loaded;
  const storage = await openStorage(loaded, { ...io, patienceMs });
  const locale = processLocale(io.environment);
  const secrets = collectSecrets(config, environment);
  return {
    texts: await loadTexts(locale),
    locale,
    storage,
    reader: openReader(storage),
    pauseEnabled: config.pause_resume.enabled,
    redact: createSecretFilters(secrets).redactOutgoing,
    directories: toRunDirectories(loaded),
    environment,
    http: config.http,
    expiryDays: toExpiryDays(config),
    hosts: toPlatformHosts(config.platforms),
    ...openPast(storage, { secrets, locale }),
  };
}

/** Names every daemon that works there, each in a line. */
export function formatMembers(
  members: readonly (StorageMember & { readonly leads?: boolean })[],
  { texts }: { readonly texts: CliTexts },
): string {
  const lines = members.map((member) => texts.owned(member, member.leads === true));
  return lines.length === 0 ? texts.notOwned : lines.join('\n');
}

/** Runs that ended, as commands look at them. */
interface PastRuns {
  /** Tells whether a run of the thread has ended. */
  readonly isIndexed: (thread: ThreadReference) => Promise<boolean>;
  /** The runs of the thread that ended, newest first, without secrets and people. */
  readonly listHistory: (thread: ThreadReference) => Promise<readonly HistoryItem[]>;
}

/** Looks at runs that ended, without owning them; what it takes is loaded when it is asked. */
function openPast(
  { index, lines }: Pick<RunStorage, 'index' | 'lines'>,
  options: { readonly secrets: readonly string[]; readonly locale: Locale },
): PastRuns {
  return {
    isIndexed: async ({ taskKeyText, host }) =>
      (await index.find({ taskKeyHash: hashTaskKey(taskKeyText), host })).length > 0,
    listHistory: async (thread) => {
      const { ContextInheritanceManager, createPreviousRunReader } = await import(
        '@agent/context-inheritance'
      );
      const reader = createPreviousRunReader({ lines, listRuns: index.find });
      return new ContextInheritanceManager(reader, options).listHistory(thread);
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
