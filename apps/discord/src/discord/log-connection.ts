import type { Logger } from '@agent/text';
import { type Client, Events, RESTEvents } from 'discord.js';
import { describeError } from '../log/describe-error.ts';

/** Discord's waits shorter than this are its everyday business. */
const notableWaitMs = 1_000;

/**
 * Logs how the connection fares; what the library mends by itself is no error. Gives what to call before the bot
 * leaves by itself, which the library takes for a loss.
 */
export function logConnection(client: Client, logger: Logger): () => void {
  const onReconnecting = (): void => logger.warn({}, 'connecting to Discord again');
  client.on(Events.Error, (error) => logger.error(describeError(error), 'the Discord library failed'));
  client.on(Events.ShardError, (error) =>
    logger.warn(describeError(error), 'the connection to Discord failed'),
  );
  client.on(Events.ShardReconnecting, onReconnecting);
  client.on(Events.ShardResume, (_, replayed) =>
    logger.info({ replayed }, 'the connection to Discord goes on'),
  );
  client.rest.on(RESTEvents.RateLimited, ({ method, route, timeToReset: waitMs }) => {
    if (waitMs >= notableWaitMs) logger.info({ method, route, waitMs }, 'Discord asks to wait');
  });
  return () => void client.off(Events.ShardReconnecting, onReconnecting);
}
