import { planningConfigSchema } from '@agent/pre-planning/config';

/** The section `planning`, which switches on what it describes by being there; null: runs begin at once. @see seed 004 §9.1 */
export const planningSchema = planningConfigSchema.nullable().default(null);
