import { describe, expect, it } from 'vitest';
import { ContextInheritanceManager, type ContextInheritanceOptions } from './index.ts';

const reader = { listRuns: async () => [], readLines: async () => null };
const create = (options: object) => () =>
  new ContextInheritanceManager(reader, options as ContextInheritanceOptions);

describe('ContextInheritanceManager', () => {
  it.each<object>([
    { enabled: 1 },
    { maxInheritanceDepth: 0 },
    { maxInheritanceDepth: 1.5 },
    { contextExpiryDays: Number.NaN },
    { contextExpiryDays: '90' },
    { maxInheritedTokens: '10' },
    { maxInheritedTokens: -1 },
    { includeFailedContexts: 'no' },
    { summaryPriority: 'newest' },
    { planning: { inheritPlan: true } },
    { planning: [] },
    { planning: { inheritPlans: 'yes' } },
    { maxPreviousPlans: null },
    { locale: 'fr' },
    { locale: 'constructor' },
    { logLocale: 'de' },
    { timeZone: 'Mars' },
    { countTokens: 5 },
    { cacheMs: 60_001 },
    { forgetRun: {} },
    { logger: {} },
    { now: new Date(0) },
    { secrets: 'abc' },
    { secrets: [7] },
    { cleanText: 'trim' },
    { maxTokens: 10 },
    { toString: true },
  ])('refuses the option %o with a TypeError that names it', (options) => {
    const [name = ''] = Object.keys(options);
    expect(create(options)).toThrow(TypeError);
    expect(create(options)).toThrow(`ContextInheritanceOptions.${name}`);
  });

  it.each<unknown>([null, 'fast', []])('refuses options that are no object: %o', (options) => {
    expect(create(options as object)).toThrow(TypeError);
  });

  it('takes undefined for the default', () => {
    const options = Object.fromEntries(
      ['locale', 'timeZone', 'logger', 'secrets'].map((name) => [name, undefined]),
    );
    expect(create(options)).not.toThrow();
  });
});
