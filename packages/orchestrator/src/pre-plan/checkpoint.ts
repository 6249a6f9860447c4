import type { CheckpointAnswer, RequestComment } from '@agent/pre-planning';
import type { RunSignal, RunSignals } from '@agent/runner';
import type { RunInbox } from '../inbox/run-inbox.ts';
import type { RunLogger } from '../ports.ts';
import type { KnownComments, SaidChange } from './known-comments.ts';
import { toNewComment } from './request.ts';

export interface PrePlanningCheckpointOptions {
  readonly ears: Pick<RunInbox, 'guard' | 'runCommands'>;
  readonly signals: RunSignals;
  /** Changes from while no process carried the run; told first. */
  readonly missed: readonly SaidChange[];
  /** Comments that are taken in already; what is heard is added. */
  readonly known: KnownComments;
  /** Tells whether its share of a limit is used up: then nothing more is asked. */
  readonly isUsedUp: () => boolean;
  readonly shutdown: AbortSignal;
  readonly logger: RunLogger;
}

export interface PrePlanningCheckpoint {
  readonly pass: () => Promise<CheckpointAnswer>;
  /** Names what interrupted it; `limit` for its share of a limit, which is used up: the run begins without the rest. */
  readonly interruption: () => RunSignal | 'limit';
}

/**
 * Asks what every checkpoint asks, pause, stop, comments, while a run pre-plans; what people command holds before
 * the model is asked again. What is heard here is told to the run's conversation as well, at its first checkpoint.
 * @see decision E16
 */
export function createPrePlanningCheckpoint(options: PrePlanningCheckpointOptions): PrePlanningCheckpoint {
  const { ears, signals, isUsedUp, shutdown, logger } = options;
  let interruption: RunSignal | 'limit' = 'none';
  const look = async (): Promise<RunSignal | 'limit'> => {
    try {
      const signal = await signals.read({ signal: shutdown });
      return signal === 'none' && isUsedUp() ? 'limit' : signal;
    } catch (error) {
      logger.warn({ err: error }, 'whether the run is to pause or stop cannot be asked');
      return isUsedUp() ? 'limit' : 'none';
    }
  };
  let before: readonly SaidChange[] = [];
  const listen = async (): Promise<readonly SaidChange[]> => {
    const heard = await ears.runCommands();
    // What the conversation was not told of, and is deleted, it need not be told of: here it was.
    const here = new Set(heard.map(({ comment: { id } }) => id));
    const gone = before.filter(({ comment: { id } }) => !here.has(id));
    before = heard;
    return [...heard, ...gone.map(({ comment }) => ({ kind: 'deleted' as const, comment }))];
  };
  return {
    interruption: () => interruption,
    pass: async () => {
      if (shutdown.aborted) return 'interrupt';
      interruption = await look();
      const heard = interruption === 'none' ? await listen() : [];
      const newComments = await takeIn([...options.missed, ...heard], options);
      if (interruption === 'none' && newComments.length > 0) interruption = await look();
      return { newComments, interrupts: interruption !== 'none' };
    },
  };
}

async function takeIn(
  changes: readonly SaidChange[],
  { ears, known, shutdown }: PrePlanningCheckpointOptions,
): Promise<readonly RequestComment[]> {
  const fresh = known.findNew(changes);
  const told = await Promise.all(
    fresh.map((change) => toNewComment(change, { guard: ears.guard, signal: shutdown })),
  );
  for (const change of fresh) known.tell(change);
  return told;
}
