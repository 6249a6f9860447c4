import type { Environment } from '../config/load-config.ts';
import type { Config } from '../config/schema.ts';

/** How one platform's webhooks are set up. */
export interface WebhookSetting {
  readonly name: 'github' | 'gitlab';
  /** Where the platform delivers to: `/webhooks/github`. */
  readonly path: string;
  /** The variable that holds the secret. */
  readonly variable: string;
  /** Null where it is not set. */
  readonly secret: string | null;
  readonly repositories: readonly string[];
  readonly waitingLabel: string;
}

/** The setting of each of GitHub and GitLab that is configured; other platforms have no webhooks. */
export function listWebhookSettings(config: Config, environment: Environment): readonly WebhookSetting[] {
  const { platforms, webhooks } = config;
  const settings: WebhookSetting[] = [];
  const add = (setting: Omit<WebhookSetting, 'path' | 'secret'>): void => {
    const secret = environment[setting.variable]?.trim() || null;
    settings.push({ ...setting, path: `/webhooks/${setting.name}`, secret });
  };
  if (platforms.github !== null) {
    const { repositories, bot_label: waitingLabel } = platforms.github;
    add({ name: 'github', variable: webhooks.github.secret_env, repositories, waitingLabel });
  }
  if (platforms.gitlab !== null) {
    const { projects: repositories, bot_label: waitingLabel } = platforms.gitlab;
    add({ name: 'gitlab', variable: webhooks.gitlab.token_env, repositories, waitingLabel });
  }
  return settings;
}
