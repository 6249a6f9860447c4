import type { Logger } from '@agent/text';
import type { Platform } from '../platform.ts';
import type { Identity, OpenThreadOptions, PlatformThread, RepositoryReader } from '../ports.ts';
import type { TaskKey } from '../task-key.ts';

type RequiredRole = 'reader' | 'comments' | 'writer';

/** Roles that may be left out, or null. Derived from the ports, so that an adapter can offer all that a platform of ours can. */
type OrNone<Roles> = { readonly [Role in keyof Roles]?: Roles[Role] | null | undefined };

/** Roles that trackers without code have not: reading reviews and checks, finding repositories by pattern. */
type ForgeOnly = 'repositories' | 'openReview' | 'openLineChanges' | 'openRequestChanges';

/** Result of an adapter's `openThread`: a role that its tracker lacks is left out, or null. */
export interface AdapterThread
  extends Pick<PlatformThread, RequiredRole>,
    OrNone<Omit<PlatformThread, RequiredRole | 'key' | 'repository'>> {
  readonly key?: TaskKey | undefined;
  /** Only `describe` has to be there. */
  readonly repository?: (Pick<RepositoryReader, 'describe'> & Partial<RepositoryReader>) | null | undefined;
}

/**
 * Result of the default export of an adapter's module; every `Platform` is one. `host`, the name that runs are filed under, is
 * by default the name of the platform in the configuration. See docs/guides/write-an-adapter.md.
 */
export interface AdapterPlatform
  extends Pick<Platform, 'tasks'>,
    OrNone<Omit<Platform, 'name' | 'tasks' | 'identity' | 'openThread' | ForgeOnly>> {
  /** Default: the account `agent-daemon`. */
  readonly identity?: Identity | null | undefined;
  /** Makes no request itself. Throws for a key of another platform, or answers. */
  readonly openThread: (key: TaskKey, options?: OpenThreadOptions) => AdapterThread;
}

/** Arguments of the default export of an adapter's module. `Options` says what its own options look like. */
export interface AdapterArguments<Options = Readonly<Record<string, unknown>>> {
  /** The platform's name in the configuration. */
  readonly name: string;
  /** `options` of the configuration, as they are: nothing has checked them. */
  readonly options: Options;
  /** Variables of the daemon, those of `.env` included: where an adapter finds its secrets. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The directory of the configuration: where relative paths in `options` start. */
  readonly directory: string;
  /** The daemon's log, without the secrets that it knows of. */
  readonly logger: Logger;
  /** Aborted when the daemon ends: what the adapter keeps open is to be closed then. */
  readonly signal: AbortSignal;
}
