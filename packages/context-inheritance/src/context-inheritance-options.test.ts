import { describe, expect, it } from 'vitest';
import { contextInheritanceConfigSchema } from './config-schema.ts';
import { toContextInheritanceOptions } from './context-inheritance-options.ts';

describe('the section context_inheritance', () => {
  it('needs nothing in it [CI-37..CI-42] [CI-86..CI-90]', () => {
    expect(contextInheritanceConfigSchema.parse({})).toEqual({
      enabled: true,
      max_inheritance_depth: 5,
      context_expiry_days: 90,
      max_inherited_tokens: 8_000,
      include_failed_contexts: false,
      summary_priority: 'latest',
      planning: {
        inherit_plans: true,
        inherit_verifications: true,
        inherit_reflections: true,
        max_previous_plans: 3,
        reuse_successful_patterns: true,
      },
    });
  });

  it('refuses unknown keys and values that are of no use', () => {
    for (const section of [
      { enable: true },
      { max_inheritance_depth: 0 },
      { context_expiry_days: -1 },
      { max_inherited_tokens: 1.5 },
      { summary_priority: 'newest' },
      { planning: { inherit_plan: true } },
    ]) {
      expect(contextInheritanceConfigSchema.safeParse(section).success).toBe(false);
    }
  });

  it('becomes the options of the manager', () => {
    const section = contextInheritanceConfigSchema.parse({
      max_inherited_tokens: 12_800,
      planning: { inherit_reflections: false },
    });
    expect(toContextInheritanceOptions(section)).toEqual({
      enabled: true,
      maxInheritanceDepth: 5,
      contextExpiryDays: 90,
      maxInheritedTokens: 12_800,
      includeFailedContexts: false,
      summaryPriority: 'latest',
      maxPreviousPlans: 3,
      planning: {
        inheritPlans: true,
        inheritVerifications: true,
        inheritReflections: false,
        reuseSuccessfulPatterns: true,
      },
    });
  });
});
