import type { Doorbell } from '@agent/platforms/sources';
import type { WebhookReceiver } from '@agent/platforms/webhooks';
import { createBodyBudget } from '@agent/platforms/webhooks';
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

/** An address for each of GitHub and GitLab that is configured; what it takes to verify is loaded where a secret is set. */
export function openWebhooks(options: OpenWebhooksOptions): Promise<readonly WebhookRoute[]> {
  const settings = listWebhookSettings(options.config, options.environment);
  const { max_bodies_in_flight: maxBodies, max_bytes_in_flight: maxBytes } = options.config.webhooks;
  const budget = createBodyBudget({ maxBodies, maxBytes });
  return Promise.all(
    settings.map(async (setting) => ({
      path: setting.path,
      variable: setting.variable,
      budget,
      receiver: setting.secret === null ? null : await createReceiver(setting, setting.secret, options),
    })),
  );
}

async function createReceiver(
  { name, repositories, waitingLabel }: WebhookSetting,
  secret: string,
  { bell, wake, logger }: OpenWebhooksOptions,
): Promise<WebhookReceiver> {
  const { createGitHubOrigin, createGitLabOrigin, createWebhookReceiver } = await import(
    '@agent/platforms/webhooks'
  );
  const origin = name === 'github' ? createGitHubOrigin({ secret }) : createGitLabOrigin({ token: secret });
  return createWebhookReceiver({ origin, repositories, waitingLabel, bell, wake, logger });
}
