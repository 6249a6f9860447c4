import type { ContextInheritanceOptions } from './context-inheritance-options.ts';
import { createSanitiser } from './create-sanitiser.ts';
import { estimateTokens } from './estimate-tokens.ts';
import { createInheritanceVoice } from './inheritance-voice.ts';

const longestCacheMs = 60_000;

/** The options of a manager, each with its value. */
export type InheritanceSettings = ReturnType<typeof toInheritanceSettings>;

/** Fills in what an options object leaves open. */
export function toInheritanceSettings({
  enabled = true,
  maxInheritanceDepth = 5,
  contextExpiryDays = 90,
  maxInheritedTokens = 8_000,
  includeFailedContexts = false,
  summaryPriority = 'latest',
  planning = {},
  maxPreviousPlans = 3,
  locale = 'ja',
  logLocale = locale,
  timeZone = 'UTC',
  countTokens = estimateTokens,
  cacheMs = longestCacheMs,
  forgetRun = async () => undefined,
  logger = null,
  now = () => new Date(),
  ...sanitiserOptions
}: ContextInheritanceOptions) {
  const rules = {
    inheritPlans: true,
    inheritVerifications: true,
    inheritReflections: true,
    reuseSuccessfulPatterns: true,
    ...planning,
  };
  return {
    enabled,
    maxInheritanceDepth: Math.max(1, Math.floor(maxInheritanceDepth)),
    contextExpiryDays,
    includeFailedContexts,
    maxPreviousPlans,
    rules,
    fit: { maxTokens: maxInheritedTokens, countTokens, summaryPriority, locale, timeZone, rules },
    cacheMs: Math.min(cacheMs, longestCacheMs),
    forgetRun,
    now,
    voice: createInheritanceVoice(logger, logLocale),
    sanitise: createSanitiser(sanitiserOptions),
  };
}
