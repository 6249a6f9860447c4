import type { ObserveBoard } from '@agent/orchestrator';
import { checkLimits, type SettingsHolder } from '@agent/orchestrator/config';
import type { PlaceBook, TrustBook } from '@agent/orchestrator/platforms';
import { toErrorMessage } from '@agent/text';
import type { Environment } from '@agent/workspace';
import type { DaemonLogger } from '../log/logger.ts';
import { type LoadedConfig, loadConfig } from './load-config.ts';
import { mergeReloaded, type ReloadedConfig } from './merge-reloaded.ts';
import type { Config } from './schema.ts';

/** Reloads the configuration and applies the settings that need no restart. Never rejects: a mistake is a result. */
export type ReloadConfig = () => Promise<ReloadResult>;

/** Result of a reload. */
export type ReloadResult =
  | ({ readonly status: 'taken' } & Pick<ReloadedConfig, 'changed' | 'needRestart'>)
  /** Nothing was applied; `reason` says what to fix. */
  | { readonly status: 'refused'; readonly reason: string };

export interface ReloadConfigOptions {
  readonly file: string;
  /** Environment of the process. */
  readonly environment: Environment;
  /** Environment that the daemon was started with, over its `.env`. */
  readonly loaded: Pick<LoadedConfig, 'environment'>;
  readonly settings: SettingsHolder<Config>;
  readonly trust: Pick<TrustBook, 'prepare'>;
  /** Has patterns resolved again. */
  readonly places: Pick<PlaceBook, 'expire'>;
  /** Resolves once the platforms are connected: before that, trusted accounts cannot be looked up. */
  readonly connected: Promise<unknown>;
  readonly observe: ObserveBoard;
  readonly logger: Pick<DaemonLogger, 'info' | 'warn' | 'error'>;
  readonly signal: AbortSignal;
}

/**
 * Creates the function that reloads the configuration, one reload after the other. It applies all settings that need no restart, or none.
 *
 * @see docs/decisions/0080-settings-are-read-again-as-a-whole.md
 */
export function createReloadConfig(options: ReloadConfigOptions): ReloadConfig {
  const { connected, logger, observe } = options;
  let before: Promise<unknown> = connected;
  const take = async (): Promise<ReloadResult> => {
    try {
      const result = await reload(options);
      const reason = result.needRestart.length === 0 ? null : describeRestart(result.needRestart);
      if (reason !== null)
        logger.warn({ keys: result.needRestart, reason }, 'restart required to apply changed settings');
      observe({ type: 'condition', part: 'settings', state: reason === null ? 'ok' : 'failed', reason });
      logger.info({ changed: result.changed }, 'reloaded configuration');
      return { status: 'taken', ...result };
    } catch (error) {
      const reason = `The configuration was not reloaded, and the previous one stays in use: ${toErrorMessage(error)}`;
      logger.error({ err: error }, 'failed to reload configuration; keeping the previous one');
      observe({ type: 'condition', part: 'settings', state: 'failed', reason });
      return { status: 'refused', reason };
    }
  };
  return () => {
    const taking = before.then(take);
    before = taking;
    return taking;
  };
}

async function reload({
  file,
  environment,
  loaded,
  settings,
  trust,
  places,
  signal,
}: ReloadConfigOptions): Promise<Pick<ReloadedConfig, 'changed' | 'needRestart'>> {
  const { config: next } = await loadConfig(file, environment);
  const { config, changed, needRestart } = mergeReloaded(settings.current(), next);
  checkLimits(config.limits, { llm: config.llm, executor: config.executor, environment: loaded.environment });
  const applyTrust = changed.includes('trust') ? await trust.prepare(config.trust, { signal }) : null;
  applyTrust?.();
  places.expire();
  // Also if nothing changed: subscribers poll at once, and patterns are resolved again.
  settings.replace(config);
  return { changed, needRestart };
}

/** Describes in one line which settings wait for a restart, and what to do. */
function describeRestart(keys: readonly string[]): string {
  return `Changes of ${keys.join(', ')} take effect after a restart. Restart the daemon, or undo the changes.`;
}
