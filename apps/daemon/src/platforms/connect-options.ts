import type { ConfiguredPlatform, ObserveBoard } from '@agent/orchestrator';
import type { Doorbell } from '@agent/platforms/sources';
import type { Locale } from '@agent/text';
import type { GitWorkspaces } from '@agent/workspace';
import type { DaemonLogger } from '../log/logger.ts';

/** What every platform is connected with. */
export interface ConnectOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Directory of the configuration file. */
  readonly directory: string;
  /** Language of our comments; null where each thread decides. */
  readonly locale: Locale | null;
  /** Opens git's side of a platform, for an account that may log in there. */
  readonly openWorkspaces: (access: ForgeAccess) => Promise<GitWorkspaces>;
  readonly logger: DaemonLogger;
  readonly observe: ObserveBoard;
  readonly signal: AbortSignal;
  /** What webhooks ring. Default a bell that nobody rings. */
  readonly doorbell?: Doorbell | undefined;
}

/** A platform that answers; who may steer there is found out when all of them do. */
export type ConnectedPlatform = Omit<ConfiguredPlatform, 'trust'>;

/** Account that git works with on a platform. */
export interface ForgeAccess {
  /** Null to work without logging in. */
  readonly token: string | null;
  /** The user name that goes with the token in git's login. */
  readonly username?: string | undefined;
  /** Whether repositories may be directories of this machine. Default false. */
  readonly localRepositories?: boolean | undefined;
  readonly authorName: string;
  readonly authorEmail: string;
}

/** A host without its port, for addresses. */
export function hostName(host: string): string {
  return host.replace(/:\d+$/, '');
}
