/**
 * Outcomes of a run. `completed`: changes were delivered and nothing is open. `answered`: a question was answered, nothing had to
 * change. `nothing_to_change`: no change was needed or possible, and the reason is stated. `partial`: changes were delivered, and plan
 * actions are open or verification did not pass. `needs_input`: the run is paused, or waits for an answer or an approval; it has not
 * ended. `stopped`: it was stopped. `failed`: it could not be done.
 */
export const outcomes = [
  'completed',
  'answered',
  'nothing_to_change',
  'partial',
  'needs_input',
  'stopped',
  'failed',
] as const;

/** One of `outcomes`. */
export type Outcome = (typeof outcomes)[number];

/** Status of a run that ended, as the index of runs stores it. @see seed 002 §3.3 */
export type IndexStatus = 'completed' | 'failed' | 'stopped';

const indexStatuses: Readonly<Record<Exclude<Outcome, 'needs_input'>, IndexStatus>> = {
  completed: 'completed',
  answered: 'completed',
  nothing_to_change: 'completed',
  partial: 'completed',
  stopped: 'stopped',
  failed: 'failed',
};

/** Converts an outcome to the status that the index stores; null for a run that has not ended. */
export function toIndexStatus(outcome: Outcome): IndexStatus | null {
  return outcome === 'needs_input' ? null : indexStatuses[outcome];
}
