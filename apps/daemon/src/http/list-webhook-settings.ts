import type { Environment } from '../config/load-config.ts';
import type { Config } from '../config/schema.ts';
import { webhookVariableOf } from '../config/webhook-schema.ts';
import { listNamedPlatforms, type NamedPlatform } from '../platforms/table.ts';

/** Settings of one platform's webhooks. */
export interface WebhookSetting extends NamedPlatform {
  /** Path that the platform delivers to: `/webhooks/github`. */
  readonly path: string;
  /** The variable that holds the secret. */
  readonly variable: string;
  /** Null where it is not set. */
  readonly secret: string | null;
}

/** The setting of each built-in platform that is configured; other platforms have no webhooks. */
export function listWebhookSettings(config: Config, environment: Environment): readonly WebhookSetting[] {
  return listNamedPlatforms(config.platforms).map((named) => {
    const variable = webhookVariableOf(named.name, config.webhooks);
    const secret = environment[variable]?.trim() || null;
    return { ...named, path: `/webhooks/${named.name}`, variable, secret };
  });
}
