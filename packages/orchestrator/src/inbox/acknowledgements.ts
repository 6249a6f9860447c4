import { PlatformError, type ReactionMeaning, type ReactionWriter } from '@agent/platforms';
import type { RunLogger } from '../ports.ts';

export interface AcknowledgementsOptions {
  /** Null where the platform has none, or nobody wants them: then nothing is given. */
  readonly reactions: ReactionWriter | null;
  /** Aborted when the process is asked to end: what is not given by then is left. */
  readonly shutdown: AbortSignal;
  readonly logger: RunLogger;
  /** A signal that is aborted after so many milliseconds. Default the real clock. */
  readonly timeLimit?: ((milliseconds: number) => AbortSignal) | undefined;
}

/** Shows people by reactions that a run has heard them. A courtesy: it never fails a run and never holds one up. */
export interface Acknowledgements {
  /** Returns at once. The same reaction to the same comment is given once. */
  readonly give: (meaning: ReactionMeaning, commentIds: readonly string[]) => void;
  /** Waits until what was asked for is given, 5 s at most; what is left then stays without. */
  readonly settle: () => Promise<void>;
}

/** Milliseconds that one reaction may take, and all that are left at a run's end. */
const patienceMs = 5_000;

/** After so many failures in a row, the run gives no more. */
const maxFailures = 3;

interface Wanted {
  readonly meaning: ReactionMeaning;
  readonly commentId: string;
}

/** Gives one reaction after the other, so that a run's own writes never wait for more than one of them. */
export function createAcknowledgements(options: AcknowledgementsOptions): Acknowledgements {
  const { reactions, shutdown, logger, timeLimit = (limitMs) => AbortSignal.timeout(limitMs) } = options;
  const asked = new Set<string>();
  let waiting: Wanted[] = [];
  let failures = 0;
  let giving: Promise<void> | null = null;
  let hurry = new AbortController();

  const giveOne = async (writer: ReactionWriter, wanted: Wanted, end: AbortSignal): Promise<void> => {
    const signal = AbortSignal.any([end, timeLimit(patienceMs)]);
    try {
      await Promise.race([writer.ensureReaction({ ...wanted, signal }), rejectOn(signal)]);
      failures = 0;
    } catch (error) {
      if (end.aborted) return;
      const isGone = PlatformError.isInstance(error) && error.code === 'not-found';
      if (!isGone) failures += 1;
      const level = isGone ? 'debug' : 'warn';
      logger[level]({ ...wanted, err: error, failures }, 'a comment could not be given its reaction');
    }
  };
  const giveWaiting = async (writer: ReactionWriter, end: AbortSignal): Promise<void> => {
    while (!end.aborted && failures < maxFailures) {
      const wanted = waiting.shift();
      if (wanted === undefined) break;
      await giveOne(writer, wanted, end);
    }
    if (waiting.length > 0) logger.debug({ count: waiting.length }, 'comments are left without a reaction');
    waiting = [];
    giving = null;
  };

  return {
    give: (meaning, commentIds) => {
      if (reactions === null || shutdown.aborted || failures >= maxFailures) return;
      for (const commentId of commentIds) {
        const name = `${meaning} ${commentId}`;
        if (!asked.has(name)) waiting.push({ meaning, commentId });
        asked.add(name);
      }
      if (waiting.length > 0) giving ??= giveWaiting(reactions, AbortSignal.any([shutdown, hurry.signal]));
    },
    settle: async () => {
      if (giving === null) return;
      await Promise.race([giving, rejectOn(timeLimit(patienceMs))]).catch(() => undefined);
      hurry.abort();
      hurry = new AbortController();
      await giving;
    },
  };
}

function rejectOn(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = () => reject(signal.reason);
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
  });
}
