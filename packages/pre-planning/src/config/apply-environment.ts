import type { Logger } from '@agent/text';
import type { PrePlanningConfig } from './config.ts';

/** Variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

const truths: ReadonlyMap<string, boolean> = new Map([
  ...['true', '1', 'yes', 'on'].map((word) => [word, true] as const),
  ...['false', '0', 'no', 'off'].map((word) => [word, false] as const),
]);

/**
 * `PRE_PLANNING_ENABLED` and `PRE_PLANNING_CONFIDENCE_THRESHOLD` over the configuration. A value that is of no use
 * leaves the configuration's and is warned of. @see seed 004 §9.2, decisions E17, E21
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
      logger?.warn({ variable }, 'an environment variable is of no use; the configuration holds');
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
