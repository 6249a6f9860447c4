import { checkExecutor, type ExecutorPlace } from './executor-mistakes.ts';
import type { RunSettings } from './run-settings.ts';
import { hasLimit, unpriced } from './spending-settings.ts';

/** Settings that limits have to go together with. */
export interface LimitsPlace extends Omit<ExecutorPlace, 'limits'> {
  readonly llm: Pick<RunSettings['llm'], 'prices'>;
}

/**
 * Makes sure that limits go together with the prices and with the agent that are configured.
 *
 * @throws ModelSettingsError for a limit of costs where nothing has a price; ConfigError for one that the agent cannot keep
 */
export function checkLimits(limits: RunSettings['limits'], { llm, ...place }: LimitsPlace): void {
  if (Object.keys(llm.prices).length === 0 && hasLimit(limits.max_cost)) throw unpriced(null);
  checkExecutor({ ...place, limits });
}
