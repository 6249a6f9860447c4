import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AdapterArguments, Platform } from '@agent/platforms';
import { type TimeLimitOptions, withinTimeLimit } from '@agent/workspace';
import { ConfigError } from '../config/config-error.ts';
import type { CustomPlatformConfig } from '../config/platform-schema.ts';
import type { DaemonLogger } from '../log/logger.ts';
import { describeLoadFailure } from './describe-load-failure.ts';
import { guide, toPlatform } from './to-platform.ts';
import { withTimeLimit } from './with-time-limit.ts';

export interface LoadCustomPlatformOptions
  extends Omit<AdapterArguments, 'options'>,
    Pick<TimeLimitOptions, 'sleep'> {
  readonly logger: DaemonLogger;
}

/**
 * Loads the platform that a module of the user's own brings, checked by its shape; every call of it ends in time.
 *
 * @throws ConfigError when the module cannot be loaded, throws, hangs, or exports no function
 * @throws PlatformError `invalid` when what it makes lacks a role
 */
export async function loadCustomPlatform(
  config: Pick<CustomPlatformConfig, 'module' | 'options' | 'timeout_seconds'>,
  options: LoadCustomPlatformOptions,
): Promise<Platform> {
  const { sleep, ...given } = options;
  const { name } = given;
  const file = resolve(given.directory, config.module);
  const timeoutMs = config.timeout_seconds * 1_000;
  const made = await withinTimeLimit(
    async () => {
      const create = await importDefault(file, name);
      return await Promise.resolve(create({ ...given, options: config.options })).catch(
        failedTo('make a platform', { file, name }),
      );
    },
    {
      timeoutMs,
      signal: given.signal,
      sleep,
      tooLong: () =>
        new ConfigError(
          `platforms.${name}.module ${file} gave no platform within ${config.timeout_seconds} s. See what it waits for when it is loaded, or raise platforms.${name}.timeout_seconds.`,
        ),
    },
  );
  return withTimeLimit(toPlatform(made, { name }), { name, timeoutMs, sleep, logger: given.logger });
}

type CreatePlatform = (given: AdapterArguments) => unknown;

async function importDefault(file: string, name: string): Promise<CreatePlatform> {
  const loaded: { default?: unknown } = await import(pathToFileURL(file).href).catch(
    failedTo('be loaded', { file, name }),
  );
  const create = loaded.default;
  if (typeof create === 'function') return async (given) => create(given);
  throw new ConfigError(
    `platforms.${name}.module ${file} has no default export that is a function making a platform. ${guide} shows one.`,
  );
}

function failedTo(what: string, { file, name }: { file: string; name: string }): (cause: unknown) => never {
  return (cause) => {
    const said = describeLoadFailure(cause, file);
    throw new ConfigError(`platforms.${name}.module ${file} could not ${what}: ${said}`, { cause });
  };
}
