import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** How often in a second of processor time one thing could be done with a delivery. */
export interface ThroughputFigure {
  /** Size of the body. */
  readonly bytes: number;
  readonly work: string;
  /** One figure a round. */
  readonly perSecond: readonly number[];
}

const measuring = fileURLToPath(new URL('../../../apps/daemon/test/webhooks/main.ts', import.meta.url));

/** Runs the daemon's own receiver in a process of its own. @throws when a delivery was not taken as it should be */
export async function measureThroughput(): Promise<readonly ThroughputFigure[]> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=@agent/source', measuring]);
  return (JSON.parse(stdout) as { readonly figures: readonly ThroughputFigure[] }).figures;
}
