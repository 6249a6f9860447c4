import type { TaskReference } from '@agent/platforms';
import { estimateTokens, type Locale, type Logger, type TokenCounter } from '@agent/text';
import {
  checkOptions,
  type ExpectationsOf,
  expected,
  expectNumber,
  expectOneOf,
  expectOptions,
} from '@agent/text/options';
import type { ContextInheritanceConfig } from './config-schema.ts';
import { createSanitizer, type SanitizerOptions } from './create-sanitizer.ts';
import { createInheritanceLog } from './select-runs.ts';
import type { PlanningRules } from './to-plan-record.ts';

/** Options of `ContextInheritanceManager`. @see seed 002 §5.1, §13.9 */
export interface ContextInheritanceOptions extends SanitizerOptions {
  /** Default true; false finds nothing and inherits nothing. */
  readonly enabled?: boolean;
  /** Generations that are looked back on; at least 1, default 5. */
  readonly maxInheritanceDepth?: number;
  /** Days since a run's end; default 90. */
  readonly contextExpiryDays?: number;
  /** Tokens of all blocks together, headings included; default 8,000. */
  readonly maxInheritedTokens?: number;
  /** Default false. */
  readonly includeFailedContexts?: boolean;
  /** Default `latest`: the newest summary alone. */
  readonly summaryPriority?: 'latest' | 'merged';
  /** Parts of planning histories that are inherited; default all. */
  readonly planning?: Partial<PlanningRules>;
  /** Newest plans that are referred to; default 3. */
  readonly maxPreviousPlans?: number;
  /** Language of prompts; default `en`. Planning blocks are always English. */
  readonly locale?: Locale;
  /** Language of log lines; default that of prompts. */
  readonly logLocale?: Locale;
  /** Time zone of times in prompts, an IANA name; default `UTC`. */
  readonly timeZone?: string;
  /** Default: an estimate by classes of characters, a fifth too high. */
  readonly countTokens?: TokenCounter;
  /** Milliseconds for which the list of a task's runs is kept: 0 to 60,000, default 60,000. */
  readonly cacheMs?: number;
  /** Forgets a run whose directory is gone, such as `TaskIndex.remove`; default: it stays. */
  readonly forgetRun?: (task: TaskReference, uuid: string) => Promise<void>;
  readonly logger?: Logger | null;
  /** Default: the system's clock. */
  readonly now?: () => Date;
}

/**
 * The section of a configuration file as options of the manager.
 *
 * @example
 * const config = contextInheritanceConfigSchema.parse({ max_inheritance_depth: 3 });
 * const manager = new ContextInheritanceManager(reader, toContextInheritanceOptions(config));
 */
export function toContextInheritanceOptions(config: ContextInheritanceConfig): ContextInheritanceOptions {
  const { planning } = config;
  return {
    enabled: config.enabled,
    maxInheritanceDepth: config.max_inheritance_depth,
    contextExpiryDays: config.context_expiry_days,
    maxInheritedTokens: config.max_inherited_tokens,
    includeFailedContexts: config.include_failed_contexts,
    summaryPriority: config.summary_priority,
    maxPreviousPlans: planning.max_previous_plans,
    planning: {
      inheritPlans: planning.inherit_plans,
      inheritVerifications: planning.inherit_verifications,
      inheritReflections: planning.inherit_reflections,
      reuseSuccessfulPatterns: planning.reuse_successful_patterns,
    },
  };
}

const longestCacheMs = 60_000;

const expectations: ExpectationsOf<ContextInheritanceOptions> = {
  enabled: expected.flag,
  maxInheritanceDepth: expectNumber(1, { isWhole: true }),
  contextExpiryDays: expectNumber(0),
  maxInheritedTokens: expectNumber(0),
  includeFailedContexts: expected.flag,
  summaryPriority: expectOneOf('latest', 'merged'),
  planning: expectOptions({
    inheritPlans: expected.flag,
    inheritVerifications: expected.flag,
    inheritReflections: expected.flag,
    reuseSuccessfulPatterns: expected.flag,
  } satisfies ExpectationsOf<PlanningRules>),
  maxPreviousPlans: expectNumber(0),
  locale: expectOneOf('en', 'ja'),
  logLocale: expectOneOf('en', 'ja'),
  timeZone: expected.timeZone,
  countTokens: expected.function,
  cacheMs: expectNumber(0, { most: longestCacheMs }),
  forgetRun: expected.function,
  logger: expected.logger,
  now: expected.function,
  secrets: expected.secrets,
  cleanText: expected.function,
};

/** The options of a manager, each with its value. */
export type InheritanceSettings = ReturnType<typeof toInheritanceSettings>;

/**
 * Fills in what an options object leaves open.
 * @throws TypeError that names an invalid option
 */
export function toInheritanceSettings(options: ContextInheritanceOptions) {
  checkOptions('ContextInheritanceOptions', options, expectations);
  const {
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
  } = options;
  const rules = {
    inheritPlans: true,
    inheritVerifications: true,
    inheritReflections: true,
    reuseSuccessfulPatterns: true,
    ...planning,
  };
  return {
    ...{ enabled, maxInheritanceDepth, contextExpiryDays, includeFailedContexts, maxPreviousPlans, rules },
    fit: { maxTokens: maxInheritedTokens, countTokens, summaryPriority, locale, timeZone, rules },
    ...{ cacheMs, forgetRun, now },
    log: createInheritanceLog(logger, logLocale),
    sanitize: createSanitizer(sanitizerOptions),
  };
}
