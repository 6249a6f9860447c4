import type { Locale, Logger, TokenCounter } from '@agent/text';
import type { ContextInheritanceConfig } from './config-schema.ts';
import type { SanitizerOptions } from './create-sanitizer.ts';
import type { IndexedTask } from './ports.ts';
import type { PlanningRules } from './to-plan-record.ts';

/** How a `ContextInheritanceManager` works. @see seed 002 §5.1, §13.9 */
export interface ContextInheritanceOptions extends SanitizerOptions {
  /** Default true; false finds nothing and inherits nothing. */
  readonly enabled?: boolean;
  /** Generations that are looked back on; at least 1, default 5. */
  readonly maxInheritanceDepth?: number;
  /** Days since a run's end; default 90. */
  readonly contextExpiryDays?: number;
  /** Of all blocks together, headings included; default 8000. */
  readonly maxInheritedTokens?: number;
  /** Default false. */
  readonly includeFailedContexts?: boolean;
  /** Default `latest`: the newest summary alone. */
  readonly summaryPriority?: 'latest' | 'merged';
  /** What of planning histories is inherited; default all. */
  readonly planning?: Partial<PlanningRules>;
  /** Newest plans that are referred to; default 3. */
  readonly maxPreviousPlans?: number;
  /** Of prompts; default `en`. Planning blocks are English always. */
  readonly locale?: Locale;
  /** Of log lines; default the same. */
  readonly logLocale?: Locale;
  /** Of times in prompts, an IANA name; default `UTC`. */
  readonly timeZone?: string;
  /** Default: an estimate by classes of characters, a fifth too high. */
  readonly countTokens?: TokenCounter;
  /** How long the list of a task's runs is kept; 0 … 60,000 ms, default 60,000. */
  readonly cacheMs?: number;
  /** Forgets a run whose directory is gone, such as `TaskIndex.remove`; default: it stays. */
  readonly forgetRun?: (task: IndexedTask, uuid: string) => Promise<void>;
  readonly logger?: Logger | null;
  /** Default: the system's clock. */
  readonly now?: () => Date;
}

/** The section of a configuration file as options of the manager. */
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
