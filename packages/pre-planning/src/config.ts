import type { Logger } from '@agent/text';
import { z } from 'zod';

const share = z.number().min(0).max(1);

/**
 * The section `planning.pre_planning` of a configuration file; every key has a default. @see seed 004 §9.1
 *
 * @example
 * prePlanningConfigSchema.parse({}).understanding.confidence_threshold; // 0.7
 */
export const prePlanningConfigSchema = z.strictObject({
  enabled: z.boolean().default(true),
  understanding: z
    .strictObject({
      /** Least confidence of an understanding that suffices. */
      confidence_threshold: share.default(0.7),
    })
    .prefault({}),
  collection: z
    .strictObject({
      enabled: z.boolean().default(true),
      /** More tries after a failure that may pass. */
      max_retries_per_tool: z.int().min(0).max(10).default(2),
    })
    .prefault({}),
  assumption: z
    .strictObject({
      enabled: z.boolean().default(true),
      /** Least confidence of an assumption that is used. */
      confidence_threshold: share.default(0.5),
    })
    .prefault({}),
  notification: z
    .strictObject({
      notify_on_start: z.boolean().default(true),
      notify_on_understanding_complete: z.boolean().default(true),
      notify_on_collection_start: z.boolean().default(true),
      notify_on_collection_complete: z.boolean().default(true),
      notify_on_assumption: z.boolean().default(false),
    })
    .prefault({}),
});

/** The section, read and filled in. */
export type PrePlanningConfig = z.infer<typeof prePlanningConfigSchema>;

/** Variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

const truths: ReadonlyMap<string, boolean> = new Map([
  ...['true', '1', 'yes', 'on'].map((word) => [word, true] as const),
  ...['false', '0', 'no', 'off'].map((word) => [word, false] as const),
]);

/**
 * `PRE_PLANNING_ENABLED` and `PRE_PLANNING_CONFIDENCE_THRESHOLD` over the configuration. An invalid value
 * leaves the configuration's and is warned of. @see seed 004 §9.2, decisions E17, E21
 *
 * @example
 * applyEnvironment(prePlanningConfigSchema.parse({}), { PRE_PLANNING_ENABLED: 'off' }).enabled; // false
 */
export function applyEnvironment(
  config: PrePlanningConfig,
  environment: Environment,
  logger: Logger | null = null,
): PrePlanningConfig {
  const read = <Value>(
    variable: string,
    parse: (text: string) => Value | undefined,
    otherwise: Value,
  ): Value => {
    const text = environment[variable]?.trim() ?? '';
    if (text === '') return otherwise;
    const value = parse(text);
    if (value === undefined) {
      logger?.warn({ variable }, 'ignoring invalid environment variable; using configuration');
    }
    return value ?? otherwise;
  };
  const { understanding } = config;
  return {
    ...config,
    enabled: read('PRE_PLANNING_ENABLED', (text) => truths.get(text.toLowerCase()), config.enabled),
    understanding: {
      confidence_threshold: read(
        'PRE_PLANNING_CONFIDENCE_THRESHOLD',
        toShare,
        understanding.confidence_threshold,
      ),
    },
  };
}

function toShare(text: string): number | undefined {
  const value = /^(?:\d+|\d*\.\d+)$/.test(text) ? Number(text) : Number.NaN;
  return value >= 0 && value <= 1 ? value : undefined;
}
