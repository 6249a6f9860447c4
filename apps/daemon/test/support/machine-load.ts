import { availableParallelism, loadavg } from 'node:os';

/**
 * How many processes want each core, over the last minute, at least 1: a time limit that was shortened takes that much longer, so that it
 * stays one on what hangs and does not become one on what is slow.
 */
export function readMachineLoad(): number {
  return Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());
}
