import { z } from 'zod';

const share = z.number().min(0).max(1);

/** The section `planning.pre_planning` of a configuration file; every key has a default. @see seed 004 §9.1 */
export const prePlanningConfigSchema = z.strictObject({
  enabled: z.boolean().default(true),
  understanding: z
    .strictObject({
      /** From here on an understanding suffices, inclusive. */
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
      /** From here on an assumption is used, inclusive. */
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

/** The part of the section `planning` that concerns this package. @see seed 004 §9.1 */
export const planningConfigSchema = z.strictObject({
  enabled: z.boolean().default(true),
  pre_planning: prePlanningConfigSchema.prefault({}),
});
