import type { DaemonLogger } from '../log/logger.ts';
import { createPrePlanningFiles } from './pre-planning-files.ts';

/** What people say against the assumptions that a run began with: `/reject A2 reason`. */
export interface Rejections {
  /** Takes up what the run assumed; before that, nothing is known to be assumed. */
  readonly load: () => Promise<void>;
  /** Whether a clean text rejects one of them. */
  readonly areIn: (body: string) => boolean;
  /**
   * The words of a trusted person with what follows from their rejections for the agent. What was assumed is only
   * named: its value may come from somebody who is not trusted.
   */
  readonly tell: (body: string) => string;
}

/** Knows nothing: for runs that assume nothing. */
export const noRejections: Rejections = { load: async () => {}, areIn: () => false, tell: (body) => body };

/** For a run that gets ready, in whose directory its assumptions are kept. */
export async function openRejections(directory: string, logger: DaemonLogger): Promise<Rejections> {
  const { parseRejections, PrePlanningManager, createReadOnlyTools } = await import('@agent/pre-planning');
  const files = createPrePlanningFiles(directory, logger);
  let names: ReadonlyMap<string, string> = new Map();
  const find = (body: string) => parseRejections(body).filter(({ label }) => names.has(label));
  const load = async (): Promise<void> => {
    const source = { ask: () => Promise.reject(new Error('nothing is asked here')) };
    const manager = new PrePlanningManager({ source, tools: createReadOnlyTools({}) }, { logger });
    manager.restore((await files.read())?.state ?? null);
    names = new Map(manager.getState().assumptions.map(({ label, info_id: id }) => [label, id]));
  };
  await load();
  return {
    load,
    areIn: (body) => find(body).length > 0,
    tell: (body) => {
      const lines = find(body).map(
        ({ label }) =>
          `(The assumption ${label}, ${names.get(label)}, is rejected. From now on it is a constraint not to rely on it: find out what holds, take the reason given as what is known, and change what rests on it.)`,
      );
      return [body, ...lines].join('\n\n');
    },
  };
}
