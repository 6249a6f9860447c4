import { z } from 'zod';

/**
 * The section `context_inheritance` of a configuration file; every key has a default. @see seed 002 §5.1, §13.9
 *
 * @example
 * contextInheritanceConfigSchema.parse({}).context_expiry_days; // 90
 */
export const contextInheritanceConfigSchema = z.strictObject({
  enabled: z.boolean().default(true),
  /** Generations that are looked back on; 3 to 5 will do. */
  max_inheritance_depth: z.int().min(1).default(5),
  /** Days since a run's end. */
  context_expiry_days: z.number().min(0).default(90),
  /** Tokens of all blocks together; a tenth to a twentieth of the model's window. */
  max_inherited_tokens: z.int().min(0).default(8_000),
  include_failed_contexts: z.boolean().default(false),
  summary_priority: z.enum(['latest', 'merged']).default('latest'),
  planning: z
    .strictObject({
      inherit_plans: z.boolean().default(true),
      inherit_verifications: z.boolean().default(true),
      inherit_reflections: z.boolean().default(true),
      /** Newest plans that are referred to, whatever the depth. */
      max_previous_plans: z.int().min(0).default(3),
      reuse_successful_patterns: z.boolean().default(true),
    })
    .prefault({}),
});

/** The section, read and filled in. */
export type ContextInheritanceConfig = z.infer<typeof contextInheritanceConfigSchema>;
