import type { ConfiguredPlatform, ObserveBoard } from '@agent/orchestrator';
import type { Doorbell } from '@agent/platforms/sources';
import type { LoadedConfig } from '../config/load-config.ts';
import type { DaemonLogger } from '../log/logger.ts';

/** What every platform is connected with. */
export interface ConnectOptions {
  readonly loaded: LoadedConfig;
  readonly logger: DaemonLogger;
  readonly observe: ObserveBoard;
  readonly signal: AbortSignal;
  /** Prepares the directory of the workspaces, once for all platforms. Default once for each. */
  readonly prepareWorkspaces?: (() => Promise<string>) | undefined;
  /** What webhooks ring. Default a bell that nobody rings. */
  readonly doorbell?: Doorbell | undefined;
}

/** A platform that answers; who may steer there is found out when all of them do. */
export type ConnectedPlatform = Omit<ConfiguredPlatform, 'trust'>;
