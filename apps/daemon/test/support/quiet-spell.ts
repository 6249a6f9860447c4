import { setTimeout as delay } from 'node:timers/promises';

/**
 * Longer than a quiet repository is left alone, on the clock of a daemon that waits a hundred times shorter: what was
 * said before it stands in the next request to the model, however slow the machine is.
 */
export const quietSpell = (): Promise<void> => delay(150);
