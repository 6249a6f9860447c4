import { planningConfigSchema } from '@agent/pre-planning/config';
import { z } from 'zod';

/** Section with the keys that belong to the daemon rather than to the phase before planning. @see decision X5 */
const sectionSchema = planningConfigSchema.extend({
  /** Known and without effect so far: notices are separate comments. */
  progress_comment: z.strictObject({ enabled: z.boolean().default(false) }).prefault({}),
});
type Planning = z.infer<typeof sectionSchema>;

/**
 * The section `planning`, which switches on what it describes by being there, with nothing in it too (in YAML a section
 * whose lines are all commented out is null); null: runs begin at once. @see seed 004 §9.1
 */
export const planningSchema = sectionSchema
  .nullable()
  .transform((section): Planning | null => section ?? sectionSchema.parse({}))
  .default(null);
