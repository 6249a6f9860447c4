import type { Comment } from '@agent/comment-detection';
import type { CheckpointAnswer } from '@agent/pre-planning';
import type { RunSignal, RunSignals } from '@agent/runner';
import type { RunEars } from '../comments/run-ears.ts';
import type { DaemonLogger } from '../log/logger.ts';
import { toRequestComment } from './to-pre-planning-request.ts';

export interface PrePlanningCheckpointOptions {
  readonly ears: Pick<RunEars, 'guard' | 'heedCommands'>;
  readonly signals: RunSignals;
  /** What came while no process carried the run; told first. */
  readonly missed: readonly Comment[];
  /** Of the comments that are taken in; what is heard is added. */
  readonly known: Set<string>;
  readonly shutdown: AbortSignal;
  readonly logger: DaemonLogger;
}

export interface PrePlanningCheckpoint {
  readonly pass: () => Promise<CheckpointAnswer>;
  /** What it was interrupted by. */
  readonly signal: () => RunSignal;
}

/**
 * Asks what every checkpoint asks, pause, stop, comments, while a run gets ready. What is heard here is told to
 * the run's conversation as well, at its first checkpoint. @see decision E16
 */
export function createPrePlanningCheckpoint(options: PrePlanningCheckpointOptions): PrePlanningCheckpoint {
  const { ears, signals, known, shutdown, logger } = options;
  let signal: RunSignal = 'none';
  const readSignal = (): Promise<RunSignal> =>
    signals.read({ signal: shutdown }).catch((error: unknown) => {
      logger.warn({ err: error }, 'whether the run is to pause or stop cannot be asked');
      return 'none';
    });
  return {
    signal: () => signal,
    pass: async () => {
      if (shutdown.aborted) return 'interrupt';
      signal = await readSignal();
      if (signal !== 'none') return 'interrupt';
      const changes = await ears.heedCommands();
      const added = changes.flatMap(({ kind, comment }) => (kind === 'added' ? [comment] : []));
      const newComments = [];
      for (const comment of [...options.missed, ...added]) {
        if (known.has(comment.id)) continue;
        known.add(comment.id);
        newComments.push(await toRequestComment(comment, { guard: ears.guard, signal: shutdown }));
      }
      return { newComments };
    },
  };
}
