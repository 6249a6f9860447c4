import { z } from 'zod';

const share = z.number().min(0).max(1);

const prePlanning = z.strictObject({
  enabled: z.boolean().default(true),
  understanding: z.strictObject({ confidence_threshold: share.default(0.7) }).prefault({}),
  collection: z
    .strictObject({
      enabled: z.boolean().default(true),
      max_retries_per_tool: z.int().min(0).max(10).default(2),
    })
    .prefault({}),
  assumption: z
    .strictObject({ enabled: z.boolean().default(true), confidence_threshold: share.default(0.5) })
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

/**
 * The section `planning`, which switches on what it describes by being there; null: runs begin at once. Its form is
 * that of `@agent/pre-planning`, whose own schema would load the AI SDK into every command. @see seed 004 §9.1
 */
export const planningSchema = z
  .strictObject({ enabled: z.boolean().default(true), pre_planning: prePlanning.prefault({}) })
  .nullable()
  .default(null);
