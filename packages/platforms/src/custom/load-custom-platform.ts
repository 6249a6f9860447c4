import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type TimeLimitOptions, withinTimeLimit } from '@agent/text/waiting';
import type { Platform } from '../platform.ts';
import { PlatformError } from '../platform-error.ts';
import type { AdapterArguments } from './adapter-platform.ts';
import { guide, toPlatform } from './to-platform.ts';
import { type WithTimeLimitOptions, withTimeLimit } from './with-time-limit.ts';

/** Arguments of an adapter's module, and the time that it may take. */
export interface LoadCustomPlatformOptions extends AdapterArguments, Pick<TimeLimitOptions, 'sleep'> {
  /** Longest time for one call, in milliseconds. Default 30,000. */
  readonly timeoutMs?: number | undefined;
}

/**
 * Loads the platform that a module of the user's own brings, checked by its shape; every call of it ends in time.
 *
 * @param module path of the module; a relative one starts at `directory`
 * @throws PlatformError `invalid` when the module cannot be loaded, throws, hangs, exports no function, or makes what
 *   lacks a role
 * @example
 * const platform = await loadCustomPlatform('./adapter.mjs', {
 *   name: 'tracker',
 *   options: {},
 *   environment: process.env,
 *   directory: process.cwd(),
 *   logger: console,
 *   signal: new AbortController().signal,
 * });
 */
export async function loadCustomPlatform(
  module: string,
  options: LoadCustomPlatformOptions,
): Promise<Platform> {
  const { sleep, timeoutMs = 30_000, ...given } = options;
  const { name, logger, signal } = given;
  const file = resolve(given.directory, module);
  const tooLong = () =>
    new PlatformError(
      `platforms.${name}.module ${file} gave no platform within ${timeoutMs / 1_000} s. See what it waits for when it is loaded, or raise platforms.${name}.timeout_seconds.`,
      { code: 'invalid' },
    );
  const make = async () => {
    const create = await importDefault(file, name);
    return await Promise.resolve(create(given)).catch(failedTo('make a platform', { file, name }));
  };
  const made = await withinTimeLimit(make, { timeoutMs, signal, sleep, tooLong });
  return guardAdapter(made, { name, timeoutMs, sleep, logger });
}

/**
 * Makes a platform of what an adapter made in this process: its roles are checked by their shape, those it may lack are
 * filled in, and every call ends in time and answers what the ports promise.
 *
 * @throws PlatformError `invalid` that names every role that is missing
 * @example
 * const platform = guardAdapter(adapter, { name: 'tracker', timeoutMs: 30_000, logger: console });
 */
export function guardAdapter(made: unknown, options: WithTimeLimitOptions): Platform {
  return withTimeLimit(toPlatform(made, options), options);
}

type CreatePlatform = (given: AdapterArguments) => unknown;

async function importDefault(file: string, name: string): Promise<CreatePlatform> {
  const loaded: { default?: unknown } = await import(pathToFileURL(file).href).catch(
    failedTo('be loaded', { file, name }),
  );
  const create = loaded.default;
  if (typeof create === 'function') return async (given) => create(given);
  throw new PlatformError(
    `platforms.${name}.module ${file} has no default export that is a function making a platform. ${guide} shows one.`,
    { code: 'invalid' },
  );
}

function failedTo(what: string, { file, name }: { file: string; name: string }): (cause: unknown) => never {
  return (cause) => {
    const said = describeLoadFailure(cause, file);
    throw new PlatformError(`platforms.${name}.module ${file} could not ${what}: ${said}`, {
      code: 'invalid',
      cause,
    });
  };
}

/** Why an adapter's module could not be loaded or made no platform, with the place of the mistake where Node tells it. */
export function describeLoadFailure(cause: unknown, file: string): string {
  if (!(cause instanceof Error)) return String(cause);
  // Node names the module of ours that imported it, which helps nobody.
  if ((cause as { url?: unknown }).url === pathToFileURL(file).href) return 'there is no such file.';
  if (!(cause instanceof SyntaxError)) return cause.message;
  // The line stands before the message, or, for a mistake in JavaScript, nowhere but in what Node itself prints.
  const [place = ''] = cause.stack?.split('\n') ?? [];
  return /:\d+$/.test(place)
    ? `${cause.message} (${place})`
    : `${cause.message}. The line is shown by: node ${file}`;
}
