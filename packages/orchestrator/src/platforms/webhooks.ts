import type { Doorbell } from '@agent/platforms/sources';
import type { WebhookHandler } from '@agent/platforms/webhooks';
import { variableName } from '@agent/workspace/config';
import { z } from 'zod';
import type { Environment, RunLogger } from '../host/ports.ts';
import { type BuiltInName, builtInNames } from './names.ts';
import type { PlaceBook } from './place-book.ts';
import { listNamedPlatforms, type NamedPlatform, platformTable } from './table.ts';

const variables = Object.fromEntries(
  builtInNames.map((name) => {
    const { key, variable } = platformTable[name].webhooks;
    return [name, z.strictObject({ [key]: variableName.default(variable) }).prefault({})];
  }),
) as Record<BuiltInName, z.ZodPrefault<z.ZodObject<Record<string, z.ZodDefault<typeof variableName>>>>>;

/** Section `webhooks`: the variables that hold what a platform proves itself with. Without a value, its webhooks are refused. */
export const webhooksSchema = z.strictObject({
  ...variables,
  /** Bodies that are read at one time, of all platforms together; what comes beyond is told to come again. */
  max_bodies_in_flight: z.number().int().min(1).max(1_000).default(32),
  /** Bytes of these bodies together. Default 32 MiB. */
  max_bytes_in_flight: z.number().int().min(65_536).default(33_554_432),
});

/** Sections of the configuration that decide about webhooks. */
export interface WebhookSource {
  readonly platforms: Parameters<typeof listNamedPlatforms>[0];
  readonly webhooks: z.infer<typeof webhooksSchema>;
}

/** Settings of one platform's webhooks. */
export interface WebhookSetting extends NamedPlatform {
  /** Path that the platform delivers to: `/webhooks/github`. */
  readonly path: string;
  /** The variable that holds the secret. */
  readonly variable: string;
  /** Null where it is not set. */
  readonly secret: string | null;
}

/** Lists the setting of each built-in platform that is configured; other platforms have no webhooks. */
export function listWebhookSettings(
  { platforms, webhooks }: WebhookSource,
  environment: Environment,
): readonly WebhookSetting[] {
  return listNamedPlatforms(platforms).map((named) => {
    const variable = webhookVariableOf(named.name, webhooks);
    const secret = environment[variable]?.trim() || null;
    return { ...named, path: `/webhooks/${named.name}`, variable, secret };
  });
}

/** The variable that holds what a platform's webhooks prove themselves with. */
export function webhookVariableOf(name: BuiltInName, webhooks: WebhookSource['webhooks']): string {
  const { key, variable } = platformTable[name].webhooks;
  return webhooks[name][key] ?? variable;
}

/** The address of one platform's deliveries. */
export interface WebhookRoute {
  /** `/webhooks/github` */
  readonly path: string;
  /** Null where no secret is set: then every delivery is refused. */
  readonly handle: WebhookHandler | null;
  /** The variable that holds the secret. */
  readonly variable: string;
}

/** Options of `openWebhooks`. */
export interface OpenWebhooksOptions {
  readonly settings: WebhookSource;
  /** The sections as they stand now. Default: those of the settings. */
  readonly readSections?: (() => WebhookSource['platforms']) | undefined;
  /** Hears of repositories that webhooks come from. Default nobody. */
  readonly places?: Pick<PlaceBook, 'notice'> | undefined;
  readonly environment: Environment;
  readonly bell: Pick<Doorbell, 'ring'>;
  /** Looks for tasks now. */
  readonly wake: () => void;
  readonly logger: RunLogger;
}

/** Opens an address for each built-in platform that is configured; what it takes to verify is loaded where a secret is set. */
export async function openWebhooks(options: OpenWebhooksOptions): Promise<readonly WebhookRoute[]> {
  const { environment, bell, wake, logger, readSections = () => options.settings.platforms } = options;
  const settings = listWebhookSettings(options.settings, environment);
  if (settings.every(({ secret }) => secret === null))
    return settings.map(({ path, variable }) => ({ path, variable, handle: null }));
  const { createBodyBudget, createWebhookHandler } = await import('@agent/platforms/webhooks');
  const { max_bodies_in_flight: maxBodies, max_bytes_in_flight: maxBytes } = options.settings.webhooks;
  const budget = createBodyBudget({ maxBodies, maxBytes });
  const open = async ({
    name,
    path,
    variable,
    secret,
    section,
    entry,
  }: WebhookSetting): Promise<WebhookRoute> => {
    if (secret === null) return { path, variable, handle: null };
    const origin = await entry.webhooks.createOrigin(secret);
    const readSection = () => readSections()[name] ?? section;
    const repositories = () => entry.listPlaces(readSection());
    const exclude = () => readSection().exclude;
    const onRepository = (path: string) => options.places?.notice(name, path);
    const { trigger, bot_label: label } = section;
    const taskSign = trigger === 'label' ? { kind: trigger, label } : { kind: trigger };
    const handle = createWebhookHandler({
      ...{ origin, repositories, exclude, onRepository, taskSign, bell, wake, logger, budget },
    });
    return { path, variable, handle };
  };
  return Promise.all(settings.map(open));
}
