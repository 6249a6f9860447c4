import {
  applyEnvironment,
  type PrePlanningConfig,
  prePlanningConfigSchema,
} from '@agent/pre-planning/config';
import { planningSettingsSchema } from '@agent/runner/planning/config';
import type { Logger } from '@agent/text';
import { z } from 'zod';

const prePlanningSection = prePlanningConfigSchema.extend({
  /** Null: as `planning.enabled`. */
  enabled: z.boolean().nullable().default(null),
  notification: prePlanningConfigSchema.shape.notification
    .unwrap()
    .extend({
      /** Null: true for the one comment of `report.style: single`, false for a comment per assumption. */
      notify_on_assumption: z.boolean().nullable().default(null),
    })
    .prefault({}),
});

const planningSection = planningSettingsSchema.extend({
  /** True for planning mode, false for loop mode. */
  enabled: z.boolean().default(true),
  pre_planning: prePlanningSection.prefault({}),
});

/** The section `planning`, as a configuration writes it. @see seed 004 §9.1 */
export type PlanningSection = z.infer<typeof planningSection>;

/** Reads the section; one that is left out, or has nothing in it, is on (in YAML a section whose lines are all commented out is null). */
export const planningSchema = planningSection
  .nullable()
  .transform((section): PlanningSection => section ?? planningSection.parse({}))
  .prefault({});

type Read = (text: string) => string | number | boolean;

const words: ReadonlyMap<string, boolean> = new Map([
  ...['true', '1', 'yes', 'on'].map((word) => [word, true] as const),
  ...['false', '0', 'no', 'off'].map((word) => [word, false] as const),
]);
// A text that is none of these stays one, and the schema refuses it.
const asSwitch: Read = (text) => words.get(text.toLowerCase()) ?? text;
const asNumber: Read = (text) => (/^(?:\d+|\d*\.\d+)$/.test(text) ? Number(text) : text);
const asText: Read = (text) => text;

/** Variables that win over the section: what each sets, and how its text is read. */
const variables: Readonly<Record<string, readonly [path: string, read: Read]>> = {
  PLANNING_ENABLED: ['enabled', asSwitch],
  PLANNING_STRATEGY: ['strategy', asText],
  PLANNING_MAX_SUBTASKS: ['max_subtasks', asNumber],
  REFLECTION_ENABLED: ['reflection.enabled', asSwitch],
  REFLECTION_INTERVAL: ['reflection.trigger_interval', asNumber],
  MAX_PLAN_REVISIONS: ['revision.max_revisions', asNumber],
  REPLANNING_ENABLED: ['replanning.enabled', asSwitch],
  REPLANNING_MIN_CONFIDENCE: ['replanning.llm_decision.min_confidence_threshold', asNumber],
  MAX_TOTAL_REPLANS: ['replanning.global.max_total_replans', asNumber],
};

/** Choice of how runs plan, once the environment has been heard. */
export interface PlanningChoice {
  /** Null for loop mode. */
  readonly planning: PlanningSection | null;
  /** Null where nothing is found out before the first step. */
  readonly prePlanning: PrePlanningConfig | null;
}

/**
 * Reads how runs plan: the section, and the variables over it. An invalid value leaves the section's and is warned of.
 *
 * @see seed 004 §9.2, decision E17
 */
export function readPlanningChoice(
  section: PlanningSection,
  {
    environment,
    logger,
  }: { readonly environment: Readonly<Record<string, string | undefined>>; readonly logger: Logger },
): PlanningChoice {
  const planning = Object.entries(variables).reduce((current, [variable, [path, read]]) => {
    const text = environment[variable]?.trim() ?? '';
    if (text === '') return current;
    const parsed = planningSection.safeParse(withValue(current, path.split('.'), read(text)));
    if (!parsed.success)
      logger.warn({ variable }, 'ignoring invalid environment variable; using configuration');
    return parsed.data ?? current;
  }, section);
  const { enabled, pre_planning: written } = planning;
  const notification = {
    ...written.notification,
    notify_on_assumption: written.notification.notify_on_assumption ?? false,
  };
  const config = { ...written, notification, enabled: written.enabled ?? enabled };
  const prePlanning = applyEnvironment(config, environment, logger);
  return { planning: enabled ? planning : null, prePlanning: prePlanning.enabled ? prePlanning : null };
}

/** The same value with another one at a path of keys. */
function withValue(value: unknown, [key = '', ...rest]: readonly string[], set: unknown): object {
  const fields = value as Readonly<Record<string, unknown>>;
  return { ...fields, [key]: rest.length === 0 ? set : withValue(fields[key], rest, set) };
}
