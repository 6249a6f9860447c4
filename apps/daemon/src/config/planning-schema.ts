import { planningConfigSchema } from '@agent/pre-planning/config';
import type { z } from 'zod';

type Planning = z.infer<typeof planningConfigSchema>;

/**
 * The section `planning`, which switches on what it describes by being there, with nothing in it too (in YAML a section
 * whose lines are all commented out is null); null: runs begin at once. @see seed 004 §9.1
 */
export const planningSchema = planningConfigSchema
  .nullable()
  .transform((section): Planning | null => section ?? planningConfigSchema.parse({}))
  .default(null);
