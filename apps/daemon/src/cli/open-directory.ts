import type { HistoryItem } from '@agent/context-inheritance';
import { openReader, type ShownMessage } from '@agent/orchestrator';
import type { BuiltInName } from '@agent/orchestrator/platforms/names';
import type { ThreadReference } from '@agent/platforms';
import { hashTaskKey, type RunReader, type RunStorage } from '@agent/run-store';
import { type Locale, processLocale } from '@agent/text/locale';
import { createSecretFilters, type Redact } from '@agent/text/outgoing';
import { type LoadedSections, loadSections } from '../config/load-sections.ts';
import { openStorage } from '../config/open-storage.ts';
import { type PlaceName, placeNames, type SectionName } from '../config/schema.ts';
import { type CommandIo, loadTexts } from './command-io.ts';
import type { ShownMember } from './text-facts.ts';
import type { CliTexts } from './texts.en.ts';

/** The runs that a configuration names, for commands that stand beside the daemon; closed when the command ends. */
export interface OpenedDirectory<Name extends SectionName = never> extends PastRuns {
  readonly texts: CliTexts;
  readonly locale: Locale;
  readonly storage: RunStorage;
  readonly reader: RunReader<ShownMessage>;
  readonly redact: Redact;
  /** The sections that say where runs are stored, and those that the command needs. */
  readonly loaded: LoadedSections<PlaceName | Name>;
}

/** The configuration of a command, and what it reads of it beside the place of runs. */
export interface OpenDirectoryOptions<Name extends SectionName> {
  readonly config: string;
  readonly needs?: readonly Name[];
}

/** Longest wait of a command for a database that is away. */
const patienceMs = 10_000;

/**
 * Warns of mistakes in settings that the command does not need.
 *
 * @throws ConfigError if a setting that the command needs has a mistake
 */
export async function openDirectory<Name extends SectionName = never>(
  { config, needs = [] }: OpenDirectoryOptions<Name>,
  io: CommandIo,
): Promise<OpenedDirectory<Name>> {
  const { environment } = io;
  const loaded = await loadSections(config, { names: [...placeNames, ...needs], environment });
  const locale = processLocale(environment);
  const texts = await loadTexts(locale);
  const { problem, secrets } = loaded;
  const redact = createSecretFilters(secrets).redactOutgoing;
  if (problem !== null) io.warn(redact(texts.ignoredMistakes(problem)));
  const storage = await openStorage(loaded, { ...io, patienceMs });
  if (problem !== null) io.warn(redact(texts.usedPlace(storage.location)));
  return {
    texts,
    locale,
    storage,
    reader: openReader(storage),
    redact,
    loaded,
    ...openPast(storage, { secrets, locale }),
  };
}

/** Names every daemon that works there, each in a line. */
export function formatMembers(
  members: readonly ShownMember[],
  { texts }: { readonly texts: CliTexts },
): string {
  return members.length === 0 ? texts.notOwned : members.map(texts.owned).join('\n');
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
export function findPlatformHost({ loaded }: OpenedDirectory<'platforms'>, name: BuiltInName): string | null {
  const section = loaded.config.platforms[name];
  return section && new URL(section.base_url).host.replace(/^api\.github\.com$/, 'github.com');
}
