import type { PlaceFailure, RepositoryLabels } from '@agent/platforms';
import type { TriggerName } from './names.ts';
import { createPlaceReader } from './place-book.ts';
import { createPlaceSearch } from './place-search.ts';
import { listNames } from './place-settings.ts';
import type { ConnectOptions } from './platform-entry.ts';
import { toTaskLabels } from './section.ts';
import { listNamedPlatforms, type NamedPlatform, type PlatformSections } from './table.ts';

/** Labels of one repository or project after the daemon's labels were created there. */
export interface EnsuredLabels {
  readonly kind: 'ensured';
  readonly platform: string;
  readonly repository: string;
  /** Labels that were missing: created, or to be created in a dry run. */
  readonly created: readonly string[];
}

/** Result for a repository or project, or for a whole platform. */
export type LabelsResult =
  | EnsuredLabels
  /** `place` is a repository, project or pattern; null if the platform itself could not be reached. */
  | {
      readonly kind: 'failed';
      readonly platform: string;
      readonly place: string | null;
      readonly error: Error;
    }
  /** Users give tasks in another way, so the daemon sets no labels. */
  | { readonly kind: 'unused'; readonly platform: string; readonly trigger: TriggerName }
  /** The adapter of this platform has no access to the labels of a repository. */
  | { readonly kind: 'unsupported'; readonly platform: string };

/** Configured platforms, and how to connect to them. */
export interface CreateTaskLabelsOptions {
  readonly sections: PlatformSections;
  readonly connect: ConnectOptions;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** True to find missing labels without creating them. Default false. */
  readonly dryRun?: boolean | undefined;
}

/**
 * Creates the task label and the state labels in every configured repository and project, and in those that patterns find. Labels that
 * exist stay as they are. A failure is a result; the other repositories continue.
 *
 * @example
 * for await (const result of createTaskLabels({ sections, connect, now: Date.now })) console.log(result);
 */
export async function* createTaskLabels(options: CreateTaskLabelsOptions): AsyncGenerator<LabelsResult> {
  for (const named of listNamedPlatforms(options.sections)) yield* createOn(named, options);
  for (const [platform, { trigger }] of Object.entries(options.sections.custom))
    yield trigger === 'label' ? { kind: 'unsupported', platform } : { kind: 'unused', platform, trigger };
}

async function* createOn(
  { name: platform, section, entry }: NamedPlatform,
  { connect, now, dryRun = false }: CreateTaskLabelsOptions,
): AsyncGenerator<LabelsResult> {
  const { trigger } = section;
  if (trigger !== 'label') {
    yield { kind: 'unused', platform, trigger };
    return;
  }
  const opened = await entry.connect(section, connect).catch((error: Error) => error);
  if (opened instanceof Error) {
    yield { kind: 'failed', platform, place: null, error: opened };
    return;
  }
  const { repositories: finder, repositoryLabels } = opened.platform;
  if (repositoryLabels === undefined) {
    yield { kind: 'unsupported', platform };
    return;
  }
  const { signal } = connect;
  const readSettings = createPlaceReader(entry, () => section);
  const search = createPlaceSearch({ finder, readSettings, section: `platforms.${platform}`, now });
  const failures: readonly PlaceFailure[] = await search.refresh({ signal });
  for (const { place, error } of failures) yield { kind: 'failed', platform, place, error };
  const found = search.selection().found.map(({ path }) => path);
  const labels = Object.values(toTaskLabels(section));
  for (const repository of new Set([...listNames(entry.listPlaces(section)), ...found])) {
    try {
      const created = await ensure(repositoryLabels, { repository, labels, dryRun, signal });
      yield { kind: 'ensured', platform, repository, created };
    } catch (error) {
      signal.throwIfAborted();
      yield { kind: 'failed', platform, place: repository, error: error as Error };
    }
  }
}

interface WantedLabels {
  readonly repository: string;
  readonly labels: readonly string[];
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
}

/** @returns the labels that were missing */
async function ensure(
  { listMissing, create }: RepositoryLabels,
  { repository, labels, dryRun, signal }: WantedLabels,
): Promise<readonly string[]> {
  const missing = await listMissing(repository, labels, { signal });
  if (!dryRun) for (const label of missing) await create(repository, label, { signal });
  return missing;
}
