import { estimateTokens, isTimeZone, type Logger } from '@agent/text';

import type { ContextInheritanceOptions } from './context-inheritance-options.ts';
import { createSanitizer } from './create-sanitizer.ts';
import { createInheritanceLog } from './inheritance-log.ts';

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
  locale = 'en',
  logLocale = locale,
  timeZone = 'UTC',
  countTokens = estimateTokens,
  cacheMs = longestCacheMs,
  forgetRun = async () => undefined,
  logger = null,
  now = () => new Date(),
  ...sanitizerOptions
}: ContextInheritanceOptions) {
  const check = createOptionCheck(logger);
  const rules = {
    inheritPlans: true,
    inheritVerifications: true,
    inheritReflections: true,
    reuseSuccessfulPatterns: true,
    ...planning,
  };
  return {
    enabled,
    maxInheritanceDepth: Math.floor(
      check.number('maxInheritanceDepth', maxInheritanceDepth, { least: 1, usual: 5 }),
    ),
    contextExpiryDays: check.number('contextExpiryDays', contextExpiryDays, { least: 0, usual: 90 }),
    includeFailedContexts,
    maxPreviousPlans: check.number('maxPreviousPlans', maxPreviousPlans, { least: 0, usual: 3 }),
    rules,
    fit: {
      maxTokens: check.number('maxInheritedTokens', maxInheritedTokens, { least: 0, usual: 8_000 }),
      countTokens,
      summaryPriority,
      locale,
      timeZone: check.timeZone(timeZone),
      rules,
    },
    cacheMs: Math.min(cacheMs, longestCacheMs),
    forgetRun,
    now,
    log: createInheritanceLog(logger, logLocale),
    sanitize: createSanitizer(sanitizerOptions),
  };
}

/** Puts the default in the place of an invalid option, and warns of it (decision X1). */
interface OptionCheck {
  /** A number not below `least`. */
  readonly number: (
    name: string,
    value: number,
    bounds: { readonly least: number; readonly usual: number },
  ) => number;
  /** The IANA name of a time zone that this system knows. */
  readonly timeZone: (value: string) => string;
}

function createOptionCheck(logger: Logger | null): OptionCheck {
  const warn = (option: string) => logger?.warn({ option }, 'ignoring an invalid option; using its default');
  return {
    number: (name, value, { least, usual }) => {
      if (value >= least) return value;
      warn(name);
      return usual;
    },
    timeZone: (value) => {
      if (isTimeZone(value)) return value;
      warn('timeZone');
      return 'UTC';
    },
  };
}
