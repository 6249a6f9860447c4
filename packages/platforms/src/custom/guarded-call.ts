import { type TimeLimitOptions, withinTimeLimit } from '@agent/text/waiting';
import * as z from 'zod';
import { isPlatformErrorCode, PlatformError } from '../platform-error.ts';
import type { CallOptions } from '../ports.ts';

export interface GuardOptions extends Pick<TimeLimitOptions, 'sleep'> {
  /** The platform's name in the configuration, for errors. */
  readonly name: string;
  /** Longest time for one call. */
  readonly timeoutMs: number;
}

/** One call of an adapter: what is called, with which options, and what its answer has to look like. */
export interface GuardedCall<Options extends CallOptions, Answer> {
  /** As the adapter's author knows it: `writer.ensureComment`. */
  readonly method: string;
  readonly options: Options;
  readonly run: (options: Options) => Promise<Answer>;
  readonly answer?: z.ZodType | undefined;
}

export type Guard = <Options extends CallOptions, Answer>(
  call: GuardedCall<Options, Answer>,
) => Promise<Answer>;

/**
 * Makes the guard that every call of an adapter passes: it ends in time, answers what the port promises, and rejects
 * with a `PlatformError` that names the adapter.
 */
export function createGuard({ name, timeoutMs, sleep }: GuardOptions): Guard {
  return async ({ method, options, run, answer }) => {
    const place = `The adapter of platforms.${name}`;
    const { signal } = options;
    const tooLong = () =>
      new PlatformError(
        `${place} did not answer ${method} within ${timeoutMs / 1_000} s. See what it waits for, or raise platforms.${name}.timeout_seconds.`,
        { code: 'unavailable' },
      );
    const given = await withinTimeLimit((within) => run({ ...options, signal: within }), {
      timeoutMs,
      signal,
      tooLong,
      sleep,
    }).catch((error: unknown) => {
      if (signal?.aborted === true && error === signal.reason) throw error;
      throw toPlatformError(error, `${place} failed in ${method}`);
    });
    const checked = answer?.safeParse(given);
    if (checked === undefined || checked.success) return given;
    // Without the cause: its message is the same once more, as JSON, and a log shows both.
    throw new PlatformError(
      `${place} returned an answer to ${method} that does not fit: ${z.prettifyError(checked.error)}`,
      { code: 'invalid' },
    );
  };
}

/** Errors are read by their code, so that an adapter need not have our class. What has none counts as passing. */
export function toPlatformError(error: unknown, what: string): PlatformError {
  if (PlatformError.isInstance(error)) return error;
  const { code, retryAfterMs, message } = (error ?? {}) as Partial<Record<string, unknown>>;
  const said = typeof message === 'string' && message !== '' ? message : String(error);
  return new PlatformError(`${what}: ${said}`, {
    code: isPlatformErrorCode(code) ? code : 'unavailable',
    retryAfterMs: typeof retryAfterMs === 'number' ? retryAfterMs : null,
    cause: error,
  });
}
