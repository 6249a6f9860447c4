import type { Doorbell } from '@agent/platforms/sources';
import type { Environment } from '../config/load-config.ts';
import type { Config } from '../config/schema.ts';
import type { DaemonLogger } from '../log/logger.ts';
import { listWebhookSettings, type WebhookSetting } from './list-webhook-settings.ts';
import type { WebhookRoute } from './webhook-routes.ts';

export interface OpenWebhooksOptions {
  readonly config: Config;
  readonly environment: Environment;
  readonly bell: Pick<Doorbell, 'ring'>;
  /** Has the daemon look for tasks now. */
  readonly wake: () => void;
  readonly logger: DaemonLogger;
}

/** Opens an address for each built-in platform that is configured; what it takes to verify is loaded where a secret is set. */
export async function openWebhooks(options: OpenWebhooksOptions): Promise<readonly WebhookRoute[]> {
  const { config, environment, bell, wake, logger } = options;
  const settings = listWebhookSettings(config, environment);
  if (settings.every(({ secret }) => secret === null))
    return settings.map(({ path, variable }) => ({ path, variable, handle: null }));
  const { createBodyBudget, createWebhookHandler } = await import('@agent/platforms/webhooks');
  const { max_bodies_in_flight: maxBodies, max_bytes_in_flight: maxBytes } = config.webhooks;
  const budget = createBodyBudget({ maxBodies, maxBytes });
  const open = async ({ path, variable, secret, section, entry }: WebhookSetting): Promise<WebhookRoute> => {
    if (secret === null) return { path, variable, handle: null };
    const origin = await entry.webhooks.createOrigin(secret);
    const repositories = entry.listPlaces(section);
    const waitingLabel = section.bot_label;
    const handle = createWebhookHandler({ origin, repositories, waitingLabel, bell, wake, logger, budget });
    return { path, variable, handle };
  };
  return Promise.all(settings.map(open));
}
