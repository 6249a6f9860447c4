import type { Logger } from '@agent/text';
import { type Client, Events } from 'discord.js';
import { BotError, describeError } from '../bot-error.ts';
import { type Clock, isTransient, retryTransient } from '../waits.ts';
import { connectClient, type LoginTexts, logConnection } from './connect-client.ts';

/**
 * Milliseconds without a session after which the bot logs in again. The library waits for RESUMED without a limit.
 *
 * @see https://github.com/discordjs/discord.js/issues/8486
 * @see https://github.com/discordjs/discord.js/issues/10174
 */
const maxWithoutSessionMs = 120_000;

export interface KeepConnectedOptions {
  /** Creates a client whose requests fail when the signal aborts. */
  readonly createClient: (signal: AbortSignal) => Client;
  readonly token: string;
  readonly texts: LoginTexts;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Aborts the first login. Later it changes nothing. */
  readonly signal?: AbortSignal | undefined;
}

/** A connection to Discord that outlasts its clients. */
export interface Connection {
  /** The client that is connected now. */
  readonly client: () => Client<true>;
  /** Calls back with the current client at once, and with each client that replaces it. */
  readonly use: (start: (client: Client<true>) => void) => void;
  /** Rejects if Discord ends the session for good. */
  readonly lost: Promise<never>;
  readonly close: () => Promise<void>;
}

interface OpenClient {
  readonly ready: Client<true>;
  readonly lost: Promise<never>;
  /** Resolves when the client had no session for too long. Never rejects. */
  readonly stuck: Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * Logs in, and replaces the client whenever it stays without a session for two minutes. Requests that the replaced client has under
 * way continue.
 *
 * @throws BotError `login`; `discord-temporary` if Discord has not answered for 15 minutes; the signal's reason when it aborts the first login
 */
export async function keepConnected(options: KeepConnectedOptions): Promise<Connection> {
  const { clock, logger, signal } = options;
  const closing = new AbortController();
  const { promise: lost, reject: lose } = Promise.withResolvers<never>();
  // The promise may reject before a caller waits for it.
  lost.catch(() => {});
  const users: ((client: Client<true>) => void)[] = [];

  const open = (isFirst: boolean): Promise<OpenClient> =>
    retryTransient(() => openClient(options, { isFirst, signal: closing.signal }), {
      clock,
      signal: closing.signal,
      onRetry: (error, pauseMs) =>
        logger.warn({ ...describeError(error), pauseMs }, 'failed to log in; retrying'),
    });
  const replace = async (): Promise<OpenClient> => {
    for (;;) {
      try {
        return await open(false);
      } catch (error) {
        if (closing.signal.aborted || !isTransient(error)) throw error;
      }
    }
  };
  const abort = (): void => closing.abort(signal?.reason);
  signal?.addEventListener('abort', abort);
  if (signal?.aborted) abort();
  let current = await open(true).finally(() => signal?.removeEventListener('abort', abort));
  const watch = async (): Promise<void> => {
    for (;;) {
      await Promise.race([current.stuck, current.lost]);
      if (closing.signal.aborted) return;
      logger.warn({}, 'no Discord session for two minutes; logging in again');
      void retire(current, options.token);
      const next = await replace();
      if (closing.signal.aborted) return next.close();
      current = next;
      logger.info({}, 'connected to Discord again');
      for (const use of users) use(current.ready);
    }
  };
  watch().catch(lose);
  return {
    client: () => current.ready,
    use: (start) => {
      users.push(start);
      start(current.ready);
    },
    lost,
    close: async () => {
      closing.abort(new BotError('stopped', 'the bot is shutting down'));
      await current.close();
    },
  };
}

/** Leaves the gateway. Answers under way still need the client for their requests. */
async function retire({ ready, close }: OpenClient, token: string): Promise<void> {
  await close();
  ready.rest.setToken(token.replace(/^(?:Bot|Bearer) /, ''));
}

async function openClient(
  options: KeepConnectedOptions,
  { isFirst, signal }: { readonly isFirst: boolean; readonly signal: AbortSignal },
): Promise<OpenClient> {
  signal.throwIfAborted();
  const { token, texts, clock, logger } = options;
  const failed = new AbortController();
  const client = options.createClient(failed.signal);
  const leaveLog = logConnection(client, logger);
  const { stuck, end } = watchSession(client, clock);
  const close = async (): Promise<void> => {
    end();
    leaveLog();
    await client.destroy();
  };
  const noSession = stuck.then(() => {
    throw new BotError('discord-temporary', 'Discord opened no session within two minutes');
  });
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener('abort', abort);
  try {
    const connected = connectClient(client, { token, texts, isFirst });
    const { ready, lost } = await Promise.race([connected, noSession, aborted]);
    return { ready, lost, stuck, close };
  } catch (error) {
    // Waiting for the end of a connection that does not answer would hold up the next login.
    void close();
    // A login under way ignores `close`, and would open a session as soon as Discord answers.
    failed.abort(error);
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
    noSession.catch(() => {});
  }
}

/** Watches the time without a session: from now until the first, and from the loss of one until the next. */
function watchSession(
  client: Client,
  clock: Clock,
): { readonly stuck: Promise<void>; readonly end: () => void } {
  const { promise: stuck, resolve } = Promise.withResolvers<void>();
  let cancel: (() => void) | null = null;
  const stop = (): void => {
    cancel?.();
    cancel = null;
  };
  // A second attempt to reconnect is part of the same loss.
  const start = (): void => {
    cancel ??= clock.after(maxWithoutSessionMs, resolve);
  };
  client.on(Events.ShardReconnecting, start);
  client.on(Events.ShardReady, stop);
  client.on(Events.ShardResume, stop);
  start();
  const end = (): void => {
    client.off(Events.ShardReconnecting, start);
    stop();
  };
  return { stuck, end };
}
