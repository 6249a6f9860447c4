import type { OnToken } from '@agent/platforms/credentials';
import type { Locale } from '@agent/text';
import type { OutgoingGate } from '@agent/text/outgoing';
import type { ProtectPaths, SigningConfig } from '@agent/workspace/config';
import { ConfigError } from '../config/config-error.ts';
import type { Observer } from '../connection/observer.ts';
import { gitTokenWhileOwned } from '../connection/while-owned.ts';
import { withOutgoingGate } from '../connection/with-outgoing-gate.ts';
import type { Environment } from '../host/ports.ts';
import type { ConfiguredPlatform } from '../run/run-thread.ts';
import { checkConfiguredSigning, openConfiguredKey } from './configured-signing.ts';
import { createPlaceBook, createPlaceReader, type PlaceBook } from './place-book.ts';
import type { ConnectedPlatform, ConnectOptions, MentionSettings } from './platform-entry.ts';
import { createTrustBook, type TrustBook, type TrustSetting } from './resolve-trust.ts';
import { listNamedPlatforms, type PlatformSections } from './table.ts';

/** The part of the configuration that connecting reads. */
export interface PlatformSettings {
  readonly sections: PlatformSections;
  /** People who may give tasks and steer runs. @see resolveTrust */
  readonly trust: TrustSetting;
  /** Keeps what `trust` means, where it may change. Default one of its own. */
  readonly trustBook?: TrustBook | undefined;
  /** Keeps which places there are, where patterns are to be asked for anew. Default one of its own. */
  readonly placeBook?: PlaceBook | undefined;
  /** The sections as they stand now, whose lists of places may have changed. Default: they stay. */
  readonly readSections?: (() => PlatformSections) | undefined;
  /** Language of our comments; null where each thread decides. */
  readonly locale: Locale | null;
  readonly workspaces: WorkspaceSettings;
  readonly mentions: MentionSettings;
  /** Looks through everything that leaves for a platform. */
  readonly gate: OutgoingGate;
  /** Receives each write instead of the platforms. Default: writes are sent. */
  readonly observer?: Observer | undefined;
  /** Rules of the operator for changed paths. Default: the defaults of protected paths count. */
  readonly protection?: ProtectPaths | undefined;
  /** Told of each token before it is used: a secret from then on. Default nothing. */
  readonly onToken?: OnToken | undefined;
  readonly environment: Environment;
  /** Directory of the configuration file. */
  readonly directory: string;
}

/** Directory of all worktrees, and the author of commits; null for the account's own name. */
export interface WorkspaceSettings {
  readonly directory: string;
  readonly authorName: string | null;
  readonly authorEmail: string | null;
  /** Key that commits are signed with; null, the default, for none. */
  readonly signing?: SigningConfig | null | undefined;
}

type Surroundings = Pick<
  ConnectOptions,
  'logger' | 'observe' | 'signal' | 'doorbell' | 'shared' | 'owner' | 'now'
>;

/** Joins what all platforms are connected with. */
export function toConnectOptions(settings: PlatformSettings, surroundings: Surroundings): ConnectOptions {
  const { environment, directory, locale, onToken, observer } = settings;
  const mentions = { ...settings.mentions, observer };
  const openWorkspaces = createWorkspaceOpener(settings, surroundings);
  return { ...surroundings, environment, directory, locale, mentions, onToken, observer, openWorkspaces };
}

/**
 * Connects to every platform that is configured, one after the other, so that the first mistake is the one that is said.
 *
 * @throws ConfigError when two of them have one host: a run could not be told to belong to either; or when `trust` names an
 *   account that is not there; or when commits cannot be signed with the key that is configured
 */
export async function connectConfiguredPlatforms(
  settings: PlatformSettings,
  surroundings: Surroundings,
): Promise<readonly ConfiguredPlatform[]> {
  const { sections, gate, observer, readSections = () => sections } = settings;
  const { trustBook = createTrustBook() } = settings;
  const { placeBook = createPlaceBook(), mentions } = settings;
  const { logger, now } = surroundings;
  const options = toConnectOptions(settings, surroundings);
  await checkConfiguredSigning(settings);
  const connected: ConnectedPlatform[] = [];
  for (const { name, section, entry } of listNamedPlatforms(sections)) {
    const read = createPlaceReader(entry, () => readSections()[name] ?? section);
    const places = placeBook.open(name, { read, notes: mentions.notes, logger, now });
    const one = await entry.connect(section, { ...options, listPlaces: places.list });
    await places.searchOn(one.platform);
    connected.push({
      ...one,
      trigger: places.searchedBy(one.trigger),
      listPlaces: places.list,
      takesFrom: places.takesFrom,
      isRemoved: places.isRemoved,
    });
  }
  for (const [name, config] of Object.entries(sections.custom))
    connected.push(await (await import('./connect-custom.ts')).connectCustom({ name, config }, options));
  requireOwnHosts(connected);
  const platforms = connected.map(({ platform }) => platform);
  const policies = await trustBook.open(settings.trust, { platforms, signal: surroundings.signal });
  return connected.flatMap((one, index) => {
    const trust = policies[index];
    const observed = observer?.observe(one) ?? one;
    const platform = withOutgoingGate(observed.platform, gate);
    return trust === undefined ? [] : [{ ...observed, platform, trust }];
  });
}

function requireOwnHosts(connected: readonly ConnectedPlatform[]): void {
  const names = new Map<string, string>();
  for (const { platform } of connected) {
    const other = names.get(platform.host);
    if (other !== undefined) {
      throw new ConfigError(
        `platforms.${other} and platforms.${platform.name} have the same host, ${platform.host}. Use a different host for each platform.`,
      );
    }
    names.set(platform.host, platform.name);
  }
}

/** Opens worktrees of repositories, on all platforms in one directory; the configured author wins over the account's own name. */
function createWorkspaceOpener(
  settings: PlatformSettings,
  { logger, owner, observe }: Pick<ConnectOptions, 'logger' | 'owner' | 'observe'>,
): ConnectOptions['openWorkspaces'] {
  const { workspaces, gate, observer, protection, environment } = settings;
  const { directory, authorName, authorEmail } = workspaces;
  let prepare: (() => Promise<string>) | undefined;
  return async (access) => {
    const { createDirectoryPreparer, createGitWorkspaces } = await import('@agent/workspace');
    prepare ??= createDirectoryPreparer(directory);
    const token = access.token ?? (() => null);
    return createGitWorkspaces({
      directory,
      prepare,
      token: owner === undefined ? token : gitTokenWhileOwned(token, owner),
      localRepositories: access.localRepositories,
      gate,
      protection,
      username: access.username,
      authorName: authorName ?? access.authorName,
      authorEmail: authorEmail ?? access.authorEmail,
      signingKey: await openConfiguredKey(settings),
      logger,
      withhold: observer && ((push) => observer.reportPush(access.host, push)),
      onCommand: (command) => observe({ type: 'git', ...command }),
      environment,
    });
  };
}
