import { horizon } from './fit-stable.ts';
import { sizeOf } from './fit-turns.ts';
import type { ThreadMessage } from './ports.ts';
import type { ThreadLimits } from './thread-limits.ts';
import { type ToTurn, toTurns } from './to-turns.ts';

export interface BudgetMeterOptions extends Pick<ThreadLimits, 'maxChars'> {
  readonly toTurn: ToTurn;
  readonly isStable: boolean;
}

/**
 * Fed with page after page, newest first, it says whether older messages could still be shown, or in stable mode
 * matter for where the transcript begins.
 */
export function createBudgetMeter(options: BudgetMeterOptions): (page: readonly ThreadMessage[]) => boolean {
  const { maxChars, isStable, toTurn } = options;
  const reach = isStable ? (1 + horizon) * maxChars : maxChars;
  let chars = 0;
  return (page) => {
    for (const turn of toTurns(page, toTurn)) {
      if (chars > reach) break;
      chars += sizeOf(turn, chars === 0);
    }
    return chars <= reach;
  };
}
